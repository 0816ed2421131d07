import { describe, expect, test } from '@jest/globals';
import { changesIn, migrate } from './migrate.ts';

describe('a pool of pg becomes one that is divided', () => {
  test.each<[string, string, string, string[]]>([
    [
      'by name, in TypeScript',
      'src/db.ts',
      `import { Pool } from 'pg';\nexport const pool = new Pool({\n  host,\n  max: 20, // enough\n});\n`,
      [
        "-import { Pool } from 'pg';",
        "+import { Pool } from 'watertight/pg';",
        "+import { loadConfig } from 'watertight/config';",
        '-  max: 20, // enough',
        '+  ...loadConfig(), // enough',
      ],
    ],
    [
      'by another name',
      'db.mjs',
      `import { Pool as Pg, Client } from "pg"\nconst pool = new Pg()\n`,
      [
        '-import { Pool as Pg, Client } from "pg"',
        '-const pool = new Pg()',
        '+import { Pool as Pg, Client } from "watertight/pg"',
        '+import { loadConfig } from "watertight/config"',
        '+const pool = new Pg(loadConfig())',
      ],
    ],
    [
      'of the module, in CommonJS',
      'db.js',
      `'use strict';\nvar PG = require('pg'), x = 1;\nmodule.exports = new PG.Pool;\n`,
      [
        "-var PG = require('pg'), x = 1;",
        '-module.exports = new PG.Pool;',
        "+var PG = require('watertight/pg'), x = 1;",
        "+const { loadConfig } = require('watertight/config');",
        '+module.exports = new PG.Pool(loadConfig());',
      ],
    ],
    [
      'taken out of the module later',
      'db.js',
      `import pkg from 'pg';\nconst { Pool } = pkg;\nconst pool = new Pool({ connectionString: url });\n`,
      [
        "-import pkg from 'pg';",
        "+import pkg from 'watertight/pg';",
        "+import { loadConfig } from 'watertight/config';",
        '-const pool = new Pool({ connectionString: url });',
        '+const pool = new Pool({ connectionString: url, ...loadConfig() });',
      ],
    ],
    [
      'required where it is made',
      'db.js',
      `module.exports = new (require('pg').Pool)({ max: 5 });\n`,
      [
        "-module.exports = new (require('pg').Pool)({ max: 5 });",
        "+const { loadConfig } = require('watertight/config');",
        '+',
        "+module.exports = new (require('watertight/pg').Pool)({ ...loadConfig() });",
      ],
    ],
    [
      'required in a function, between tabs',
      'db.js',
      `const fs = require('fs');\nexports.connect = () => {\n\tconst { Pool } = require('pg');\n\treturn new Pool(options());\n};\n`,
      [
        "+const { loadConfig } = require('watertight/config');",
        "-\tconst { Pool } = require('pg');",
        '-\treturn new Pool(options());',
        "+\tconst { Pool } = require('watertight/pg');",
        '+\treturn new Pool({ ...options(), ...loadConfig() });',
      ],
    ],
    [
      'with options that are declared for it',
      'db.ts',
      `import pg = require('pg');\nconst options: pg.PoolConfig = {\n  max: 8\n};\nexport = new pg.Pool(options as never);\n`,
      [
        "-import pg = require('pg');",
        "+import pg = require('watertight/pg');",
        "+import { loadConfig } from 'watertight/config';",
        '-  max: 8',
        '+  ...loadConfig()',
      ],
    ],
    [
      'with options that others use, too',
      'db.js',
      `import { Pool, Client } from 'pg';\nconst options = { max: 8 };\nnew Client(options);\nnew Pool(options);\n`,
      [
        "-import { Pool, Client } from 'pg';",
        "+import { Pool, Client } from 'watertight/pg';",
        "+import { loadConfig } from 'watertight/config';",
        '-new Pool(options);',
        '+new Pool({ ...options, ...loadConfig() });',
      ],
    ],
    [
      'with options that other files may use',
      'db.js',
      `import { Pool } from 'pg';\nexport const options = { max: 8 };\nnew Pool(options);\n`,
      [
        "-import { Pool } from 'pg';",
        "+import { Pool } from 'watertight/pg';",
        "+import { loadConfig } from 'watertight/config';",
        '-new Pool(options);',
        '+new Pool({ ...options, ...loadConfig() });',
      ],
    ],
    [
      'in an element, and where the file has the name already',
      'app/page.tsx',
      `import { Pool } from 'pg';\nimport { loadConfig } from './env';\nconst pool = new Pool(loadConfig());\nexport default () => <p>Don't</p>;\n`,
      [
        "-import { Pool } from 'pg';",
        "+import { Pool } from 'watertight/pg';",
        "+import { loadConfig as loadConfigOfWatertight } from 'watertight/config';",
        '-const pool = new Pool(loadConfig());',
        '+const pool = new Pool({ ...loadConfig(), ...loadConfigOfWatertight() });',
      ],
    ],
    [
      'with types that are named through the module',
      'db.ts',
      `import pg, { Client } from 'pg';\nlet pool: pg.Pool | undefined;\npool ??= new pg.Pool({});\n`,
      [
        "-import pg, { Client } from 'pg';",
        "+import { Client } from 'watertight/pg';",
        "+import * as pg from 'watertight/pg';",
        "+import { loadConfig } from 'watertight/config';",
        '-pool ??= new pg.Pool({});',
        '+pool ??= new pg.Pool(loadConfig());',
      ],
    ],
  ])('%s', async (_, name, text, changes) => {
    expect(await changesIn(name, text)).toEqual(changes);
  });

  test('in a line of its own, with the comma, the comment and the line ends of the file', async () => {
    const text = `import { Pool } from 'pg';\r\nnew Pool({\r\n\thost: h // the host\r\n});\r\n`;
    const { files } = await migrate({ 'db.js': `\uFEFF${text}` });
    expect(files['db.js']).toBe(
      `\uFEFFimport { Pool } from 'watertight/pg';\r\nimport { loadConfig } from 'watertight/config';\r\n` +
        `new Pool({\r\n\thost: h, // the host\r\n\t...loadConfig()\r\n});\r\n`,
    );
  });

  test('and stays as it is where it only looks like one', async () => {
    const text = `
      // new Pool({}) of 'pg'
      import type { Pool as Type } from 'pg';
      import { Pool } from 'generic-pool';
      const text = "import { Pool } from 'pg'; new Pool()", other = \`\${new Pool()}\`, regex = /new Pool\\('/;
      new Pool({});`;
    const { plan, found } = await migrate({ 'db.ts': text });
    expect([plan.divisions, found.faults]).toEqual([[], []]);
  });
});

describe('options that pg and mysql2 take and watertight refuses', () => {
  test('a timeout of pg that is too long, or for ever, gives way to the file', async () => {
    for (const millis of ['0', '90_000', 'Number(process.env.T)']) {
      const { config } = await migrate({
        'db.js': `import { Pool } from 'pg';\nnew Pool({ max: 20, connectionTimeoutMillis: ${millis} });`,
      });
      expect(config).toMatchObject({ max: 20, acquireTimeoutMillis: 2_000 });
    }
    const { config } = await migrate({
      'db.js': `import { Pool } from 'pg';\nnew Pool({ connectionTimeoutMillis: process.env.T || 5000 });`,
    });
    expect(config).not.toHaveProperty('acquireTimeoutMillis');
  });

  test('so does one that may be in options from elsewhere', async () => {
    const text = `import { Pool } from 'pg';\nimport options from './options';\nnew Pool(options);`;
    const { config, plan } = await migrate({ 'db.js': text });
    expect(config).toMatchObject({ acquireTimeoutMillis: 2_000 });
    expect(config).not.toHaveProperty('max');
    expect(plan.divisions[0]?.place.notes.join()).toMatch(/look where its options come from/);
  });

  test('a max of pg that comes as text becomes a number', async () => {
    const from = (max: string): Promise<string[]> =>
      changesIn(
        'db.js',
        `const { Pool } = require('pg');\n\n\n\n\n\n\n\nnew Pool({ max: ${max} });\n`,
      );
    expect((await from('process.env.MAX')).at(-1)).toBe(
      '+new Pool({ max: Number(process.env.MAX || 10), ...loadConfig() });',
    );
    expect((await from("process.env.MAX || '5'")).at(-1)).toBe(
      "+new Pool({ max: Number(process.env.MAX || '5'), ...loadConfig() });",
    );
  });

  test('a connectTimeout of mysql2 becomes shorter, and acquireTimeout, which it ignored, goes', async () => {
    const text = `const mysql = require('mysql2');
module.exports = mysql.createPool({
  connectTimeout: 60000,
  connectionLimit: 5,
  acquireTimeout: 60000,
  queueLimit: 0,
}).promise();
`;
    expect(await changesIn('db.js', text)).toEqual([
      "-const mysql = require('mysql2');",
      "+const mysql = require('watertight/mysql2');",
      "+const { loadConfig } = require('watertight/config');",
      '-  connectTimeout: 60000,',
      '-  connectionLimit: 5,',
      '-  acquireTimeout: 60000,',
      '+  connectTimeout: 30000,',
      '+  ...loadConfig(),',
    ]);
    const last = `import { createPool } from 'mysql2';\ncreatePool({\n  host,\n  acquireTimeout: 1\n});\n`;
    expect((await changesIn('db.js', last)).slice(-2)).toEqual([
      '-  acquireTimeout: 1',
      '+  ...loadConfig()',
    ]);
  });
});

describe('a pool of mysql2 becomes one that is divided', () => {
  test.each([
    [
      'createPool(process.env.DATABASE_URL!)',
      '{ uri: process.env.DATABASE_URL!, ...loadConfig() }',
    ],
    ['createPool(config.db.databaseUrl)', '{ uri: config.db.databaseUrl, ...loadConfig() }'],
    ['createPool(config.db)', '{ ...config.db, ...loadConfig() }'],
    [
      'createPool({ connectionLimit: 8 } satisfies PoolOptions)',
      '{ ...loadConfig() } satisfies PoolOptions',
    ],
  ])('%s', async (call, given) => {
    const text = `import { createPool, type PoolOptions } from 'mysql2/promise';\nexport const pool = ${call};\n`;
    const { files } = await migrate({ 'db.ts': text });
    expect(files['db.ts']).toBe(
      `import { createPool, type PoolOptions } from 'watertight/mysql2/promise';\n` +
        `import { loadConfig } from 'watertight/config';\nexport const pool = createPool(${given});\n`,
    );
  });
});

test('a file with every driver loads everything once', async () => {
  const text = `import { Pool } from 'pg';
import mysql from 'mysql2';
import mongoose from 'mongoose';
const a = new Pool({ max: 4 });
const b = mysql.createPool({});
mongoose.connect(url, { maxPoolSize: 11 });
`;
  const { files, config } = await migrate({ 'db.mjs': text });
  expect(files['db.mjs']).toBe(`import { Pool } from 'watertight/pg';
import { loadConfig } from 'watertight/config';
import { partitionConnection } from 'watertight/mongoose';
import mysql from 'watertight/mysql2';
import mongoose from 'mongoose';
const a = new Pool({ ...loadConfig({}, { service: 'a' }) });
const b = mysql.createPool(loadConfig({}, { service: 'b' }));
partitionConnection(mongoose.connection, loadConfig({}, { service: 'mongoose' }));
mongoose.connect(url, { maxPoolSize: 11 });
`);
  expect(config).toMatchObject({
    services: {
      a: { max: 4, defaultPartition: 'web', partitions: { web: 3, batch: 1 } },
      b: { partitions: { web: 8, batch: 2 } },
      mongoose: { partitions: { web: 8, batch: 2 } },
    },
  });
});
