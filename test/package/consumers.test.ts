import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { makeConsumer, type Consumer } from './consumer.ts';

let consumer: Consumer;
let withoutPg: Consumer;

beforeAll(async () => {
  consumer = await makeConsumer(['pg', '@types/pg', 'mysql2', 'mongoose', '@types/node']);
  withoutPg = await makeConsumer([]);
});

afterAll(async () => {
  await consumer?.remove();
  await withoutPg?.remove();
});

const ok = (stdout: string): unknown => ({ code: 0, stdout, stderr: '' });

describe('the packed package', () => {
  test('holds what its users need, and no source, test or configuration', async () => {
    const folder = join(consumer.folder, 'node_modules/watertight');
    const top = await readdir(folder);
    expect(top.toSorted()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist',
        'docs',
        'examples',
        'package.json',
        'schema',
      ].toSorted(),
    );
    const all = await readdir(folder, { recursive: true });
    const code = all.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file));
    expect(code.filter((file) => !file.startsWith('examples/'))).toEqual([]);
  });

  test('holds the examples, and nothing that a run of them leaves', async () => {
    const files = await readdir(join(consumer.folder, 'node_modules/watertight/examples'), {
      recursive: true,
    });
    expect(files.toSorted()).toEqual([
      'rehearsal-jest',
      'rehearsal-jest/README.md',
      'rehearsal-jest/package.json',
      'rehearsal-jest/rehearsal.test.js',
      'rehearsal-node-test',
      'rehearsal-node-test/README.md',
      'rehearsal-node-test/package.json',
      'rehearsal-node-test/rehearsal.test.mjs',
      'rehearsal-vitest',
      'rehearsal-vitest/README.md',
      'rehearsal-vitest/package.json',
      'rehearsal-vitest/rehearsal.test.ts',
    ]);
  });

  test('has no run-time dependency', async () => {
    const file = join(consumer.folder, 'node_modules/watertight/package.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).not.toHaveProperty('dependencies');
  });

  test('has a command', async () => {
    const { code, stdout } = await consumer.node(
      'bin.mjs',
      `import { execFileSync } from 'node:child_process';
       process.stdout.write(execFileSync('node_modules/.bin/watertight', ['--version'], {
         env: { PATH: ${JSON.stringify(process.env['PATH'])} }, encoding: 'utf8' }));`,
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('0.1.0') });
  });
});

describe('the configuration of a service', () => {
  test('is read by ES modules and by CommonJS, from JSON and from a module', async () => {
    await consumer.write('shop/watertight.config.json', '{ "partitions": { "order": 8 } }');
    await consumer.write(
      'mail/watertight.config.mjs',
      'export default { partitions: { send: 3 } };',
    );
    const program = `
      const sizes = ['shop', 'mail'].map((cwd) => loadConfig({}, { cwd }).partitions);
      console.log(JSON.stringify(sizes));`;
    const expected = ok('[{"order":{"size":8}},{"send":{"size":3}}]\n');
    const imported = `import { loadConfig } from 'watertight/config';${program}`;
    const required = `const { loadConfig } = require('watertight/config');${program}`;
    expect(await consumer.node('config.mjs', imported)).toEqual(expected);
    expect(await consumer.node('config.cjs', required)).toEqual(expected);
  });
});

describe('the rehearsal', () => {
  test('is told what is wrong with it in ES modules and in CommonJS', async () => {
    const program = `rehearse(monthEnd, { partitions: { order: 8, search: 8, batch: 4 }, url: 'mysql://h/d' })
      .catch((error) => console.log(isRehearsalError(error), error.message));`;
    const names = '{ isRehearsalError, monthEnd, rehearse }';
    const expected = ok(
      'true url: mysql://h/d is not the URL of a PostgreSQL server; expected postgres://user@host:5432/database\n',
    );
    const imported = `import ${names} from 'watertight/rehearsal';${program}`;
    const required = `const ${names} = require('watertight/rehearsal');${program}`;
    expect(await consumer.node('rehearsal.mjs', imported)).toEqual(expected);
    expect(await consumer.node('rehearsal.cjs', required)).toEqual(expected);
  });

  test.each(['pg', 'mysql2', 'mongoose'])(
    'needs no other driver than its own, and says when that is missing: %s',
    async (driver) => {
      const url = { pg: 'postgres://h/d', mysql2: 'mysql://h/d', mongoose: 'mongodb://h/d' }[
        driver
      ];
      const program = `rehearse(monthEnd, { driver: '${driver}', url: '${url}',
        partitions: { order: 8, search: 8, batch: 4 } }).catch(({ code, message }) => console.log(code, message));`;
      const expected = ok(`ERR_NO_SERVER the driver is not installed: npm install ${driver}\n`);
      const imported = `import { monthEnd, rehearse } from 'watertight/rehearsal';${program}`;
      const required = `const { monthEnd, rehearse } = require('watertight/rehearsal');${program}`;
      expect(await withoutPg.node('driver.mjs', imported)).toEqual(expected);
      expect(await withoutPg.node('driver.cjs', required)).toEqual(expected);
    },
  );

  test('without a URL says what to install, or to give one', async () => {
    const program = `import { monthEnd, rehearse } from 'watertight/rehearsal';
      rehearse(monthEnd, { driver: 'mysql2', partitions: { order: 8, search: 8, batch: 4 } })
        .catch(({ code, message }) => console.log(code, message));`;
    expect(await consumer.node('no-server.mjs', program)).toEqual(
      ok(
        'ERR_NO_SERVER no server to rehearse on: npm install --save-dev testcontainers, which starts ' +
          'one in a container; or give the URL of your own, mysql://user@host:3306/database\n',
      ),
    );
  });
});

describe('an ES module', () => {
  test('gets our Pool by name and by default, and all names that pg exports', async () => {
    const names = `
      import * as stock from 'pg';
      import pg, * as ours from 'watertight/pg';
      import { Pool, Client } from 'watertight/pg';
      const missing = Object.keys(stock).filter((name) => !(name in ours));
      const missingInDefault = Object.getOwnPropertyNames(stock.default)
        .filter((name) => !Object.hasOwn(pg, name));
      const same = Client === stock.Client && pg.types === stock.types && pg.Pool === Pool;
      const derived = Pool !== stock.Pool && Pool.prototype instanceof stock.Pool;
      console.log(JSON.stringify({ missing, missingInDefault, same, derived }));`;
    const expected = { missing: [], missingInDefault: [], same: true, derived: true };
    expect(await consumer.node('names.mjs', names)).toEqual(ok(`${JSON.stringify(expected)}\n`));
  });

  test('type-checks strictly, declarations included', async () => {
    await consumer.write('types.mts', consumerTypes);
    expect(await consumer.typecheck(['types.mts'])).toEqual(ok(''));
  });

  test('of a bundler type-checks strictly, declarations included', async () => {
    await consumer.write('bundled.mts', consumerTypes);
    const options = { module: 'esnext', moduleResolution: 'bundler' };
    expect(await consumer.typecheck(['bundled.mts'], options)).toEqual(ok(''));
  });

  test('does not compile with a misspelt partition name', async () => {
    await consumer.write(
      'misspelt.mts',
      `import { Pool } from 'watertight/pg';
       const pool = new Pool({ partitions: { order: 8 } });
       pool.partition('ordr');`,
    );
    const { code, stdout } = await consumer.typecheck(['misspelt.mts']);
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/'"ordr"' is not assignable to parameter of type '"order"'/);
  });
});

describe.each(['mysql2', 'mysql2/promise'])('of %s', (driver) => {
  const compare = `
    const missing = Object.keys(stock).filter((name) => !(name in ours));
    const own = Object.keys(stock).filter((name) => ours[name] !== stock[name]);
    const missingInDefault = Object.getOwnPropertyNames(stock.default ?? stock)
      .filter((name) => !Object.hasOwn(ours.default, name));
    console.log(JSON.stringify({ missing, missingInDefault, own: own.filter((name) => name !== 'default'),
      same: ours.default.createPool === ours.createPool }));`;
  const expected = (own: readonly string[]): unknown =>
    ok(`${JSON.stringify({ missing: [], missingInDefault: [], own, same: true })}\n`);

  test('an ES module gets our createPool by name and by default, and all other names', async () => {
    const code = `import * as stock from '${driver}';
      import * as ours from 'watertight/${driver}';
      import { createPool, createConnection, escape } from 'watertight/${driver}';
      if (!createPool || createConnection !== stock.createConnection || !escape) throw 'missing';
      ${compare}`;
    const { stdout } = await consumer.node('names-mysql2.mjs', code);
    // Newer versions of Node add a name for the whole module.
    const own = JSON.parse(stdout.replace(',"module.exports"', '')) as unknown;
    expect(own).toEqual({ missing: [], missingInDefault: [], own: ['createPool'], same: true });
  });

  test('a CommonJS module gets them, too', async () => {
    const code = `const stock = require('${driver}');
      const ours = require('watertight/${driver}'); ${compare}`;
    const own = driver === 'mysql2' ? ['createPool', 'createPoolPromise'] : ['createPool'];
    expect(await consumer.node('names-mysql2.cjs', code)).toEqual(expected(own));
  });

  test.each(['mts', 'cts'])('type-checks strictly, declarations included (%s)', async (kind) => {
    await consumer.write(`mysql2-types.${kind}`, mysql2Types(driver));
    expect(await consumer.typecheck([`mysql2-types.${kind}`])).toEqual(ok(''));
  });
});

describe('a CommonJS module', () => {
  test('gets our Pool, and everything that pg exports', async () => {
    const names = `
      const stock = require('pg');
      const ours = require('watertight/pg');
      const missing = Object.getOwnPropertyNames(stock).filter((name) => !(name in ours));
      const same = ours.Client === stock.Client && ours.default.Pool === ours.Pool;
      const derived = ours.Pool !== stock.Pool && ours.Pool.prototype instanceof stock.Pool;
      const lazy = Object.getOwnPropertyDescriptor(ours, 'native').enumerable === false;
      console.log(JSON.stringify({ missing, same, derived, lazy }));`;
    const expected = { missing: [], same: true, derived: true, lazy: true };
    expect(await consumer.node('names.cjs', names)).toEqual(ok(`${JSON.stringify(expected)}\n`));
  });

  test('type-checks strictly, declarations included', async () => {
    await consumer.write('types.cts', consumerTypes);
    expect(await consumer.typecheck(['types.cts'])).toEqual(ok(''));
  });

  test('shares runIn with the ES module copy', async () => {
    const both = `
      const { runIn } = require('watertight');
      const { Pool } = require('watertight/pg');
      (async () => {
        const other = await import('watertight');
        const pool = new Pool({ partitions: { order: 1 } });
        const error = await other.runIn('batch', () => pool.connect().catch((reason) => reason));
        console.log(other.runIn !== runIn, error.code, other.isUnknownPartitionError(error));
      })();`;
    expect(await consumer.node('both.cjs', both)).toEqual(ok('true ERR_UNKNOWN_PARTITION true\n'));
  });
});

describe('the driver', () => {
  test('is loaded by its own entry point only', async () => {
    const core = `import { Partitioner } from 'watertight';
      console.log(await new Partitioner({ partitions: { a: 1 } }).run('a', () => 'ran'));`;
    expect(await withoutPg.node('core.mjs', core)).toEqual(ok('ran\n'));
    expect(await withoutPg.node('core.cjs', `require('watertight'); console.log('ran');`)).toEqual(
      ok('ran\n'),
    );
  });

  test('that is missing is named with the command to install it, to an ES module', async () => {
    const code = `await import('watertight/pg').catch(({ message }) => console.log(message));`;
    const { code: exit, stdout } = await withoutPg.node('missing.mjs', code);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Cannot find package 'pg' imported from .*\/npm-install-pg\.js\n$/);
  });

  test('that is missing is named with the command to install it, to a CommonJS module', async () => {
    const code = `try { require('watertight/pg') } catch ({ message }) { console.log(message) }`;
    expect(await withoutPg.node('missing.cjs', code)).toEqual(
      ok("watertight/pg needs the package 'pg', which is not installed: npm install pg\n"),
    );
  });
});

describe('a mysql2 that is missing', () => {
  test.each(['mysql2', 'mysql2/promise'])(
    'is named with the command to install it: %s',
    async (driver) => {
      const code = `await import('watertight/${driver}').catch(({ message }) => console.log(message));`;
      const { stdout } = await withoutPg.node('missing.mjs', code);
      expect(stdout).toMatch(
        /^Cannot find package 'mysql2' imported from .*\/npm-install-mysql2\S*\.js\n$/,
      );
      const required = `try { require('watertight/${driver}') } catch ({ message }) { console.log(message) }`;
      expect(await withoutPg.node('missing.cjs', required)).toEqual(
        ok(
          "watertight/mysql2 needs the package 'mysql2', which is not installed: npm install mysql2\n",
        ),
      );
    },
  );
});

describe('watertight/mongoose', () => {
  const program = `
    const { connection } = mongoose;
    const partitioned = partitionConnection(connection, { partitions: { order: 8, batch: 4 } });
    const order = partitioned.partition('order');
    console.log(order instanceof mongoose.Connection, partitioned.stats().totals.order.gauges.size);`;

  test('divides a connection for an ES module and for a CommonJS module', async () => {
    const imported = `import mongoose from 'mongoose';
      import { partitionConnection } from 'watertight/mongoose';${program}`;
    const required = `const mongoose = require('mongoose');
      const { partitionConnection } = require('watertight/mongoose');${program}`;
    expect(await consumer.node('mongoose.mjs', imported)).toEqual(ok('true 0\n'));
    expect(await consumer.node('mongoose.cjs', required)).toEqual(ok('true 0\n'));
  });

  test('needs no mongoose of its own: it divides what it is given', async () => {
    const code = `import { partitionConnection } from 'watertight/mongoose';
      console.log(typeof partitionConnection);`;
    expect(await withoutPg.node('own.mjs', code)).toEqual(ok('function\n'));
  });

  test('type-checks in ES modules and CommonJS, and takes no misspelt name', async () => {
    const types = `import mongoose from 'mongoose';
      import { partitionConnection } from 'watertight/mongoose';
      const partitioned = partitionConnection(mongoose.connection, {
        partitions: { order: { size: 8 }, batch: 4 }, defaultPartition: 'order' });
      const order: mongoose.Connection = partitioned.partition('order');
      void order;`;
    await consumer.write('mongoose.mts', types);
    await consumer.write('mongoose.cts', types);
    expect(await consumer.typecheck(['mongoose.mts', 'mongoose.cts'])).toEqual(ok(''));
    await consumer.write('misspelt-handle.mts', `${types} partitioned.partition('ordr');`);
    const { stdout } = await consumer.typecheck(['misspelt-handle.mts']);
    expect(stdout).toMatch(
      /'"ordr"' is not assignable to parameter of type '("order"|"batch"|\W)+'/,
    );
  });
});

describe('what is inside', () => {
  test.each([
    'watertight/dist/esm/src/ledger.js',
    'watertight/src/ledger.ts',
    'watertight/drivers/mysql2',
    'watertight/drivers/pg',
  ])('stays inside: %s', async (specifier) => {
    const code = `await import('${specifier}').catch(({ code }) => console.log(code));`;
    expect(await consumer.node('deep.mjs', code)).toEqual(ok('ERR_PACKAGE_PATH_NOT_EXPORTED\n'));
  });
});

/** Our own use of `pg` in this file, so that the list of names below cannot be empty by mistake. */
test('pg has names to compare', () => {
  expect(Object.getOwnPropertyNames(pg).length).toBeGreaterThan(10);
});

const consumerTypes = `
import pg, { Client, Pool, type PoolClient, type QueryResult } from 'watertight/pg';
import { monthEnd, rehearse, type RehearsalResult } from 'watertight/rehearsal';
import { isAcquireTimeoutError, Partitioner, runIn, type PartitionStats } from 'watertight';

async function main(): Promise<void> {
  const pool = new Pool({ max: 20, partitions: { order: 8, batch: { size: 4 } } });
  const result: QueryResult<{ one: number }> = await pool.partition('order').query('select 1');
  const client: PoolClient = await pool.partition('batch').connect({ acquireTimeoutMillis: 0 });
  client.release();
  const stats: PartitionStats = pool.partition('order').stats();
  const stock: Client = new pg.Client();
  const reports: Promise<number> = runIn('batch', async () => result.rows.length);
  const dependencies = new Partitioner({ partitions: { llm: 1 } });
  const text: string = await dependencies.run('llm', async (signal) => String(signal.aborted));
  const error: unknown = new Error(text);
  if (isAcquireTimeoutError(error)) console.log(error.partition, stats.name, stock, reports);
  const rehearsed: RehearsalResult = await rehearse(monthEnd, {
    createPool: ({ url }) => new Pool({ connectionString: url, partitions: { order: 8, batch: 4 } }),
  });
  console.log(rehearsed.partition('order').failed);
  await pool.end();
}
void main;
`;

const mysql2Types = (driver: string): string => `
import mysql2, { createPool, type Pool, type PoolConnection, type RowDataPacket } from 'watertight/${driver}';

export const pool = createPool({
  uri: 'mysql://user@host/shop', connectionLimit: 20, partitions: { order: 8, batch: { size: 4 } },
});
export const stock: Pool = pool.partition('order');
export const escaped: string = pool.partition('batch').escape(1) + mysql2.escape(2);
export const use = (connection: PoolConnection): void => connection.release();
export type Rows = RowDataPacket[];
// @ts-expect-error: a misspelt name
export const misspelt = (): unknown => pool.partition('ordr');
void pool.end();
`;
