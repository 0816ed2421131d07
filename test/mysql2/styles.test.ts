import { describe, expect, test } from '@jest/globals';
import mysql2 from 'mysql2';
import stockPromise, { type Pool as StockPool } from 'mysql2/promise';
import watertight, * as named from '../../drivers/mysql2/index.ts';
import watertightPromise, * as namedPromise from '../../drivers/mysql2/promise.ts';
import { connect, openPool, openPromisePool, rejection, url } from '../support/mysql.ts';

const open = (options = {}) =>
  openPool({
    ...{ connectionLimit: 2, partitions: { order: 1, batch: 1 } },
    defaultPartition: 'order',
    ...options,
  });
const openPromise = (options = {}) =>
  openPromisePool({
    ...{ connectionLimit: 2, partitions: { order: 1, batch: 1 } },
    defaultPartition: 'order',
    ...options,
  });

type Done = (error: Error | null, value?: unknown) => void;
const called = (call: (done: Done) => void): Promise<unknown> =>
  new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });

describe.each(['the pool', 'a partition'])('%s takes every call style of mysql2', (which) => {
  const subject = (options = {}) =>
    which === 'the pool' ? open(options) : open(options).partition('batch');
  const promised = (options = {}) =>
    which === 'the pool' ? openPromise(options) : openPromise(options).partition('batch');

  test('query: text, values, options, a callback last', async () => {
    const pool = subject();
    expect(await called((done) => pool.query('select 1 as n', done))).toEqual([{ n: 1 }]);
    expect(await called((done) => pool.query('select ? as n', [2], done))).toEqual([{ n: 2 }]);
    expect(await called((done) => pool.query({ sql: 'select 3 as n' }, done))).toEqual([{ n: 3 }]);
    const options = { sql: 'select ? as n', rowsAsArray: true };
    expect(await called((done) => pool.query(options, [4], done))).toEqual([[4]]);
    expect(await rejection(called((done) => pool.query('select nonsense', done)))).toMatchObject({
      code: 'ER_BAD_FIELD_ERROR',
    });
  });

  test('query returns its command: events, and a stream of rows', async () => {
    const pool = subject();
    const found: unknown[] = [];
    await new Promise((resolve, reject) => {
      pool
        .query('select 1 as n union select 2')
        .on('result', (row) => found.push(row))
        .on('error', reject)
        .on('end', resolve);
    });
    for await (const row of pool.query('select 3 as n').stream()) found.push(row);
    expect(found).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    const failed = (async () => {
      for await (const row of pool.query('select nonsense').stream()) found.push(row);
    })();
    expect(await rejection(failed)).toMatchObject({ code: 'ER_BAD_FIELD_ERROR' });
  });

  test('execute: values, named placeholders, options', async () => {
    const pool = subject({ namedPlaceholders: true });
    expect(await called((done) => pool.execute('select ? as n', [1], done))).toEqual([{ n: 1 }]);
    expect(await called((done) => pool.execute('select :n as n', { n: 2 }, done))).toEqual([
      { n: 2 },
    ]);
    expect(await called((done) => pool.execute('select 3 as n', done))).toEqual([{ n: 3 }]);
    expect(await called((done) => pool.query('select :n as n', { n: 4 }, done))).toEqual([
      { n: 4 },
    ]);
    const wrong = called((done) => pool.execute('select ? as n', [undefined as never], done));
    expect((await rejection(wrong)).message).toContain('must not contain undefined');
  });

  test('format, escape, escapeId, promise', async () => {
    const pool = subject();
    expect(pool.format('select ?', [1])).toBe('select 1');
    expect(pool.escape("it's")).toBe("'it\\'s'");
    expect(pool.escapeId('a.b')).toBe('`a`.`b`');
    expect((await pool.promise().query('select 1 as n'))[0]).toEqual([{ n: 1 }]);
  });

  test('promises: query, execute, connections with transactions and statements', async () => {
    const pool = promised();
    expect((await pool.query('select ? as n', [1]))[0]).toEqual([{ n: 1 }]);
    expect((await pool.execute('select ? as n', [2]))[0]).toEqual([{ n: 2 }]);
    expect(await rejection(pool.execute('select nonsense'))).toMatchObject({
      code: 'ER_BAD_FIELD_ERROR',
    });
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    await connection.query('select 1');
    await connection.commit();
    await connection.rollback();
    const statement = await connection.prepare('select ? as n');
    expect((await statement.execute([3]))[0]).toEqual([{ n: 3 }]);
    await statement.close();
    expect(await connection.ping()).toBe(true);
    expect(connection.threadId).toBeGreaterThan(0);
    pool.releaseConnection(connection);
  });

  test('promises: the stack of an error begins where the query was called, as in mysql2', async () => {
    const stock = stockPromise.createPool(url());
    const beginsOf = async (pool: Pick<StockPool, 'query' | 'execute'>): Promise<unknown[]> => {
      const errors = [
        await rejection(pool.query('select nonsense')),
        await rejection(pool.execute('select nonsense')),
      ];
      return errors.map(({ stack }) => stack?.split('\n')[1]);
    };
    const begins = await beginsOf(stock);
    expect(begins[0]).toContain('styles.test');
    expect(await beginsOf(promised())).toEqual(begins);
    await stock.end();
  });

  test('is what mysql2 says a pool is', async () => {
    const { Pool, PoolConnection } = mysql2 as unknown as Record<string, new () => object>;
    const faces = stockPromise as unknown as Record<string, new () => object>;
    const pool = subject();
    expect(pool).toBeInstanceOf(Pool);
    expect('pool' in pool).toBe(false);
    const connection = await connect(pool);
    expect(connection).toBeInstanceOf(PoolConnection);
    pool.releaseConnection(connection);
    const promise = promised();
    expect(promise).toBeInstanceOf(faces['PromisePool']);
    expect(promise.pool).toBeInstanceOf(Pool);
    expect('promise' in promise).toBe(false);
    const face = await promise.getConnection();
    expect(face).toBeInstanceOf(faces['PromisePoolConnection']);
    face.release();
  });
});

describe('the module', () => {
  test.each([
    ['watertight/mysql2', mysql2, watertight, named],
    ['watertight/mysql2/promise', stockPromise, watertightPromise, namedPromise],
  ])('%s has all that mysql2 has, and its own createPool', (_, stock, ours, all) => {
    const names = Object.getOwnPropertyNames(stock);
    const [byDefault, byName] = [ours, all] as unknown as Record<string, unknown>[];
    expect(names.filter((name) => !(name in byDefault!))).toEqual([]);
    const own = ['createPool', 'createPoolPromise'];
    const changed = names.filter((name) => byDefault![name] !== Reflect.get(stock, name));
    expect(changed.filter((name) => !own.includes(name))).toEqual([]);
    expect(byDefault!['createPool']).toBe(byName!['createPool']);
    expect(byDefault!['createPool']).not.toBe(Reflect.get(stock, 'createPool'));
  });

  test('takes a Promise of its own, as mysql2', async () => {
    class Own<T> extends Promise<T> {}
    const pool = openPromise({ Promise: Own });
    expect(pool.getConnection().then((one) => one.release())).toBeInstanceOf(Own);
    expect(pool.partition('batch').query('select 1')).toBeInstanceOf(Own);
    await pool.end();
  });
});
