import { describe, expect, test } from '@jest/globals';
import type { PoolConnection } from 'mysql2';
import { connect, openPool, openPromisePool, rows } from '../support/mysql.ts';

const EVENTS = ['connection', 'acquire', 'enqueue', 'release'];
const partitions = { order: 1, batch: 1 };
const both = { order: { size: 0, max: 1 }, batch: { size: 0, max: 1 } };

describe('the events of a partition', () => {
  test("are mysql2's: connection, acquire, enqueue, release, there and on the pool", async () => {
    const pool = openPool({ connectionLimit: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const log: string[] = [];
    for (const [who, emitter] of Object.entries({ order, pool })) {
      for (const event of EVENTS) emitter.on(event, () => log.push(`${who} ${event}`));
    }
    const first = await connect(order);
    const waiting = connect(order);
    first.release();
    (await waiting).release();
    expect(log).toEqual([
      'pool connection',
      'order connection',
      ...['order acquire', 'pool acquire', 'order enqueue', 'pool enqueue'],
      ...['order release', 'pool release', 'order acquire', 'pool acquire'],
      ...['order release', 'pool release'],
    ]);
  });

  test('are told to the promise face too, with the connection of the callback face', async () => {
    const pool = openPromisePool({ connectionLimit: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const given: unknown[] = [];
    for (const event of EVENTS) {
      order.on(event as 'acquire', (connection: unknown) => given.push(connection));
    }
    const first = await order.getConnection();
    const waiting = order.getConnection();
    first.release();
    (await waiting).release();
    const { connection } = first;
    expect(given).toEqual([connection, connection, undefined, connection, connection, connection]);
  });

  test('say nothing of a release when the connection is gone, as in mysql2', async () => {
    const order = openPool({ connectionLimit: 1, partitions: { order: 1 } }).partition('order');
    let released = 0;
    order.on('release', () => released++);
    (await connect(order)).destroy();
    expect(released).toBe(0);
  });

  test('tell it of a connection when it first sees it, though another partition opened it', async () => {
    const pool = openPool({ connectionLimit: 2, partitions, resetOnHop: false });
    const log: string[] = [];
    for (const name of ['order', 'batch'] as const) {
      pool.partition(name).on('connection', () => log.push(name));
    }
    pool.on('connection', () => log.push('pool'));
    for (let i = 0; i < 3; i++) {
      await rows(pool.partition('order'), 'select 1');
      await rows(pool.partition('batch'), 'select 1');
    }
    expect(log).toEqual(['pool', 'order', 'batch']);
  });
});

describe('a listener that sets a session up', () => {
  const zone = async (pool: Parameters<typeof rows>[0]): Promise<unknown> =>
    (await rows(pool, 'select @@time_zone as zone'))[0]?.['zone'];

  test('has done so before the first statement of a holder', async () => {
    const order = openPool({ connectionLimit: 1, partitions: { order: 1 } }).partition('order');
    order.on('connection', (connection: PoolConnection) => {
      connection.query("set time_zone = '+05:00'");
    });
    expect(await zone(order)).toBe('+05:00');
  });

  test('is heard again after each reset, on the pool and on the partition', async () => {
    const pool = openPool({ connectionLimit: 1, partitions: both });
    pool.on('connection', (connection: PoolConnection) => {
      connection.query("set time_zone = '+05:00'");
    });
    pool.partition('batch').on('connection', (connection: PoolConnection) => {
      connection.query("set time_zone = '+07:00'");
    });
    for (let i = 0; i < 3; i++) {
      expect(await zone(pool.partition('order'))).toBe('+05:00');
      expect(await zone(pool.partition('batch'))).toBe('+07:00');
    }
  });

  test('and listens on the connection, does so once, however often it is reset', async () => {
    const pool = openPool({ connectionLimit: 1, partitions: both });
    let connection: PoolConnection | undefined;
    pool.partition('order').on('connection', (one: PoolConnection) => {
      connection = one;
      one.on('error', () => {});
      one.once('end', () => {});
    });
    await rows(pool.partition('order'), 'select 1');
    const before = connection?.eventNames().map((name) => connection?.listenerCount(name));
    for (let i = 0; i < 5; i++) {
      await rows(pool.partition('batch'), 'select 1');
      await rows(pool.partition('order'), 'select 1');
    }
    const after = connection?.eventNames().map((name) => connection?.listenerCount(name));
    expect(after).toEqual(before);
  });
});
