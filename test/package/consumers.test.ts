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
