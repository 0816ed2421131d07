import { afterEach, describe, expect, test } from '@jest/globals';
import mysql2, { type Pool, type QueryError } from 'mysql2';
import { openPool, url } from '../support/mysql.ts';

type Query = (...args: unknown[]) => unknown;

const stocks: Pool[] = [];
afterEach(() => stocks.splice(0).forEach((pool) => pool.end()));

const pools: Readonly<Record<string, () => Pool>> = {
  'a pool of mysql2': () => {
    const pool = mysql2.createPool({ uri: url(), connectionLimit: 1 });
    stocks.push(pool);
    return pool;
  },
  'a partition': () =>
    openPool({ connectionLimit: 1, partitions: { order: 1 } }).partition('order'),
};

/** Its outcome, as the callback is told it, or by events when there is none. */
const outcome = (pool: Pool, style: string, ...args: unknown[]): Promise<QueryError | undefined> =>
  new Promise((resolve) => {
    const query = pool.query.bind(pool) as Query;
    if (style === 'callback') {
      query(...args, (error: QueryError | null) => resolve(error ?? undefined));
    } else {
      let told: QueryError | undefined;
      const command = query(...args) as ReturnType<Pool['query']>;
      command.on('error', (error: QueryError) => (told = error)).on('end', () => resolve(told));
    }
  });

const connectionId = async (pool: Pool): Promise<unknown> =>
  (await pool.promise().query('select connection_id() as id'))[0];

describe.each(Object.keys(pools))('a query of %s', (which) => {
  const open = pools[which]!;

  test.each(['callback', 'events'])(
    'that finds the server reading only closes the connection: told by %s',
    async (style) => {
      const pool = open();
      const before = await connectionId(pool);
      expect(await outcome(pool, style, 'select nonsense')).toMatchObject({ errno: 1054 });
      expect(await connectionId(pool)).toEqual(before);
      await outcome(pool, style, 'set session transaction read only');
      const refused = await outcome(pool, style, 'create table shop.never (id int)');
      expect(refused).toMatchObject({ errno: 1792 });
      expect(await connectionId(pool)).not.toEqual(before);
    },
  );

  test('that fails and has nobody to tell takes nothing along', async () => {
    const pool = open();
    const failed = pool.query('select nonsense');
    await new Promise((resolve) => failed.on('end', resolve));
    expect(await connectionId(pool)).toHaveLength(1);
  });

  test('that cannot be sent says so, and its connection goes on', async () => {
    const pool = open();
    const before = await connectionId(pool);
    const value = {
      toSqlString(): string {
        throw new Error('no such value');
      },
    };
    const error = await outcome(pool, 'callback', 'select ?', [value]);
    expect(error?.message).toBe('no such value');
    expect(await connectionId(pool)).toEqual(before);
  });

  test('goes through what a tracer has put in the place of mysql2’s own', async () => {
    const { prototype } = (mysql2 as unknown as { Pool: { prototype: { query: Query } } }).Pool;
    const { query } = prototype;
    const traced: unknown[] = [];
    prototype.query = function replaced(this: unknown, ...args: unknown[]) {
      traced.push(args[0]);
      return query.apply(this, args);
    };
    try {
      await connectionId(open());
      await outcome(open(), 'callback', 'select 1');
    } finally {
      prototype.query = query;
    }
    expect(traced).toEqual(['select connection_id() as id', 'select 1']);
  });
});
