import { describe, expect, test } from '@jest/globals';
import { changesIn, migrate } from './migrate.ts';

describe('a connection of mongoose is divided', () => {
  const loads = (q = "'"): string =>
    `import { loadConfig } from ${q}watertight/config${q};\nimport { partitionConnection } from ${q}watertight/mongoose${q};\n`;

  test('below what the file loads, when it connects in a function', async () => {
    const text = `import mongoose from 'mongoose';\nimport x from 'x';\n\nexport async function connect() {\n  await mongoose.connect(url);\n}\n`;
    const { files } = await migrate({ 'db.ts': text });
    expect(files['db.ts']).toBe(
      text.replace(
        "from 'x';\n",
        `from 'x';\n${loads()}\npartitionConnection(mongoose.connection, loadConfig());\n`,
      ),
    );
  });

  test('before it connects, at the top', async () => {
    const text = `const mongoose = require('mongoose')\n\nmongoose.connect(url).then(() => console.log('ok'))\n`;
    expect(await changesIn('db.js', text)).toEqual([
      "+const { loadConfig } = require('watertight/config')",
      "+const { partitionConnection } = require('watertight/mongoose')",
      '+partitionConnection(mongoose.connection, loadConfig())',
    ]);
  });

  test('with mongoose itself, when only connect was imported', async () => {
    const text = `import { connect } from "mongoose";\nawait connect(url);\n`;
    const { files } = await migrate({ 'db.mjs': text });
    expect(files['db.mjs']).toBe(
      `import mongoose, { connect } from "mongoose";\n${loads('"')}partitionConnection(mongoose.connection, loadConfig());\nawait connect(url);\n`,
    );
  });

  test('once a process, where modules are evaluated again', async () => {
    const text = `import mongoose from 'mongoose';\nexport const connect = () => mongoose.connect(url);\n`;
    const next = { 'package.json': '{ "dependencies": { "mongoose": "8.20.0", "next": "15" } }' };
    const { files } = await migrate({ ...next, 'a.js': text, 'b.ts': text });
    expect(files['a.js']).toContain('\nglobalThis.partitioned ??= partitionConnection(');
    expect(files['b.ts']).toContain(
      '\n(globalThis as { partitioned?: unknown }).partitioned ??= partitionConnection(',
    );
  });

  test('after it was created, if it has a name', async () => {
    const text = `import mongoose from 'mongoose';
export async function open() {
  const db = await mongoose.createConnection(url, { maxPoolSize: 21 }).asPromise(); // one
  return db;
}
export const other = () => mongoose.createConnection(url);
`;
    const { files, config, found } = await migrate({ 'db.ts': text });
    expect(files['db.ts']).toContain(
      '// one\n  partitionConnection(db, loadConfig());\n  return db;',
    );
    expect(config).toMatchObject({ partitions: { web: 16, batch: 4 } });
    expect(found.files[0]?.found.byHand).toMatchObject([{ line: 6, page: 'docs/mongoose.md' }]);
  });

  test('not where its name is known in a function only: that is for you', async () => {
    const text = `exports.open = () => {\n  const db = require('mongoose');\n  return db.connect(url);\n};\n`;
    const { plan, found } = await migrate({ 'db.js': text });
    expect(plan.divisions).toEqual([]);
    expect(found.files[0]?.found.byHand).toMatchObject([{ line: 3 }]);
  });
});
