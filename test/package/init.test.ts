import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { url } from '../support/pg.ts';
import { makeConsumer, type Consumer, type Outcome } from './consumer.ts';

let service: Consumer;
const bin = 'node_modules/watertight/dist/esm/cli/main.js';

beforeAll(async () => {
  const drivers = ['pg', '@types/pg', 'mysql2', 'mongoose'];
  service = await makeConsumer([...drivers, '@types/node', '@babel/parser']);
  const dependencies = { pg: '^8.20.0', mysql2: '^3.11.0', mongoose: '^9.0.0' };
  await service.write('package.json', JSON.stringify({ private: true, dependencies }));
});

afterAll(() => service?.remove());

const init = async (below: string): Promise<Outcome> => {
  await service.write(`${below}/package.json`, '{ "dependencies": { "pg": "^8.20.0" } }');
  return service.run([join(service.folder, bin), 'init', '--write'], {}, below);
};

describe('a service that init has changed', () => {
  test.each([
    ['mjs', `import { Pool } from 'pg';`],
    ['cjs', `const { Pool } = require('pg');`],
  ])('runs, within its partitions, on a server: %s', async (kind, load) => {
    const program = `${load}
const pool = new Pool({
  connectionString: process.env.PG_URL,
  max: 5,
  connectionTimeoutMillis: 0,
});
(async () => {
  const sleep = () => pool.query('select pg_sleep(0.3)');
  const all = await Promise.all(Array.from({ length: 9 }, sleep));
  const stats = pool.stats?.().partitions;
  console.log(JSON.stringify([all.length, pool.totalCount, stats?.web?.counters.granted]));
  await pool.end();
})();
`;
    await service.write(`run-${kind}/db.${kind}`, program);
    const run = (): Promise<Outcome> =>
      service.run([`db.${kind}`], { PG_URL: url() }, `run-${kind}`);
    expect(await run()).toEqual({ code: 0, stdout: '[9,5,null]\n', stderr: '' });
    expect(await init(`run-${kind}`)).toMatchObject({ code: 0, stderr: '' });
    // Four of the five connections are for calls that say nothing.
    expect(await run()).toEqual({ code: 0, stdout: '[9,4,9]\n', stderr: '' });
  });

  test('compiles as it did, with the types it names through the module', async () => {
    const files = {
      'types/pg.mts': `import pg from 'pg';
let pool: pg.Pool | undefined;
export const query = async (): Promise<pg.QueryResult> => {
  pool ??= new pg.Pool({ max: Number(process.env['MAX'] ?? 20) });
  return pool.query('select 1');
};
`,
      'types/options.mts': `import { Pool, type PoolConfig, type PoolClient } from 'pg';
const options: PoolConfig = {
  connectionString: process.env['URL'],
  max: 20,
};
export const pool: Pool = new Pool(options);
export const client = (): Promise<PoolClient> => pool.connect();
`,
      'types/my.cts': `import mysql, { type RowDataPacket } from 'mysql2/promise';
let pool: mysql.Pool | null = null;
export function db(): mysql.Pool {
  pool = mysql.createPool({ host: 'h', connectionLimit: 9 });
  return pool;
}
export const rows = async (): Promise<RowDataPacket[]> => (await db().query<RowDataPacket[]>('select 1'))[0];
`,
      'types/mongo.mts': `import { connect } from 'mongoose';
export const open = () => connect('mongodb://h/d', { maxPoolSize: 11 });
`,
    };
    for (const [name, text] of Object.entries(files)) await service.write(name, text);
    const ok = { code: 0, stdout: '', stderr: '' };
    expect(await service.typecheck(Object.keys(files), { esModuleInterop: true })).toEqual(ok);
    expect(await init('types')).toMatchObject({ code: 0, stderr: '' });
    const changed = await readFile(join(service.folder, 'types/mongo.mts'), 'utf8');
    expect(changed).toContain('partitionConnection(mongoose.connection, loadConfig(');
    expect(await service.typecheck(Object.keys(files), { esModuleInterop: true })).toEqual(ok);
  });
});
