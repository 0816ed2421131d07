import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import { openPool, openStockPool, until } from '../support/pg.ts';

const partitions = { order: 1, batch: 1 };

describe('the events of a partition', () => {
  test('are those of a pool: connect, acquire, release, remove, in this order', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const log: string[] = [];
    for (const [who, emitter] of Object.entries({ order, pool })) {
      for (const event of ['connect', 'acquire', 'release', 'remove'] as const) {
        emitter.on(event as 'connect', () => log.push(`${who} ${event}`));
      }
    }
    const client = await order.connect();
    client.release(true);
    await until(() => order.available === 1);
    expect(log).toEqual([
      'pool connect',
      'order connect',
      'order acquire',
      'pool acquire',
      'order release',
      'pool release',
      'order remove',
      'pool remove',
    ]);
  });

  test('tell it of a client when it first sees it, though another partition opened it', async () => {
    const pool = openPool({ max: 2, partitions });
    const log: string[] = [];
    for (const name of ['order', 'batch'] as const) {
      pool.partition(name).on('connect', () => log.push(name));
    }
    pool.on('connect', () => log.push('pool'));
    for (let i = 0; i < 3; i++) {
      await pool.partition('order').query('select 1');
      await pool.partition('batch').query('select 1');
    }
    expect(log).toEqual(['pool', 'order', 'batch']);
  });

  test('give what was passed to release, as it was', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const given: unknown[] = [];
    pool.partition('order').on('release', (error: unknown) => given.push(error));
    const reason = new Error('broken');
    (await pool.partition('order').connect()).release();
    (await pool.partition('order').connect()).release(reason);
    expect(given).toEqual([undefined, reason]);
  });

  test('a loss of an idle client goes to the partition that used it last, and to the pool', async () => {
    const pool = openPool({ max: 2, partitions });
    const log: string[] = [];
    for (const name of ['order', 'batch'] as const) {
      pool.partition(name).on('error', () => log.push(name));
    }
    pool.on('error', () => log.push('pool'));
    const { rows } = await pool.partition('order').query('select pg_backend_pid() as pid');
    await openStockPool({ max: 1 }).query('select pg_terminate_backend($1)', [rows[0].pid]);
    await until(() => log.length === 2);
    expect(log).toEqual(['order', 'pool']);
    expect(pool.totalCount).toBe(0);
  });
});

describe('the async context of a caller', () => {
  const als = new AsyncLocalStorage<string>();
  const config = { max: 1, partitions: { order: { size: 1, maxWaiting: 200 } } };

  test('is there after a promise, a callback and a query, whoever made room', async () => {
    const order = openPool(config).partition('order');
    const seen: [string, string | undefined][] = [];
    const see = (expected: string): unknown => seen.push([expected, als.getStore()]);
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < 20; i++) {
      const name = `request ${i}`;
      als.run(name, () => {
        calls.push(
          (async () => {
            const client = await order.connect();
            see(name);
            client.release();
          })(),
          new Promise<void>((resolve) => {
            order.connect((_, client, release) => {
              see(name);
              void client;
              release();
              resolve();
            });
          }),
          order.query('select 1').then(() => see(name)),
          new Promise<void>((resolve) => {
            order.query('select 1', () => {
              see(name);
              resolve();
            });
          }),
          order.withConnection(() => see(name)),
        );
      });
    }
    await Promise.all(calls);
    expect(seen).toHaveLength(100);
    for (const [expected, got] of seen) expect(got).toBe(expected);
  });

  test('is there when the caller is told no', async () => {
    const order = openPool({
      max: 1,
      partitions: { order: { size: 1, acquireTimeoutMillis: 20, maxWaiting: 2 } },
    }).partition('order');
    await until(async () =>
      order.connect({ acquireTimeoutMillis: 5000 }).then((c) => (c.release(), true)),
    );
    const held = await order.connect();
    const seen: (string | undefined)[] = [];
    const outcome = (name: string): Promise<void> =>
      als.run(
        name,
        () =>
          new Promise((resolve) => {
            order.connect((error) => {
              seen.push(error && als.getStore());
              resolve();
            });
          }),
      );
    await Promise.all([outcome('times out'), outcome('too'), outcome('refused')]);
    expect(new Set(seen)).toEqual(new Set(['refused', 'times out', 'too']));
    held.release();
  });

  test('is there for the query that a pool sends on the client of another request', async () => {
    const pool = openPool(config);
    const order = pool.partition('order');
    const stores: (string | undefined)[] = [];
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        stores.push(als.getStore());
        return query(...args);
      }) as typeof client.query;
    });
    await Promise.all(['a', 'b', 'c'].map((name) => als.run(name, () => order.query('select 1'))));
    expect(stores).toEqual(['a', 'b', 'c']);
  });

  test('is there where a connection is dialled in the turn of another caller', async () => {
    const order = openPool(config).partition('order');
    const dialled: (string | undefined)[] = [];
    order.on('connect', () => dialled.push(als.getStore()));
    const first = await als.run('a', () => order.connect());
    const second = als.run('b', () => order.connect());
    als.run('a', () => first.release(true));
    (await second).release();
    expect(dialled).toEqual(['a', 'b']);
  });
});
