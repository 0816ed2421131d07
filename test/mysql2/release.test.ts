import { describe, expect, test } from '@jest/globals';
import type { PoolConnection } from 'mysql2';
import {
  connect,
  killOnServer,
  openPool,
  openPromisePool,
  rejection,
  rows,
  sleep,
  until,
} from '../support/mysql.ts';

const one = { connectionLimit: 1, partitions: { order: 1 } };

describe('a released connection', () => {
  test('goes straight to the next waiter of its partition, without a turn between', async () => {
    const order = openPool(one).partition('order');
    const first = await connect(order);
    const waiting = connect(order);
    let handedOver: unknown;
    order.once('acquire', (connection: PoolConnection) => (handedOver = connection));
    first.release();
    expect(handedOver).toBe(first);
    (await waiting).release();
  });

  test('of one partition serves another', async () => {
    const pool = openPool({
      connectionLimit: 1,
      partitions: { order: { size: 0, max: 1 }, batch: { size: 0, max: 1 } },
    });
    const first = await connect(pool.partition('batch'));
    const waiting = connect(pool.partition('order'));
    first.release();
    expect(await waiting).toBe(first);
    (await waiting).release();
  });

  test('keeps its listeners as they were: 2,000 leases leave as many as one', async () => {
    const order = openPool(one).partition('order');
    const count = async (): Promise<number[]> => {
      const connection = await connect(order);
      const counts = connection
        .eventNames()
        .map((name) => connection.listenerCount(name as string));
      connection.release();
      return counts;
    };
    await rows(order, 'select 1');
    const before = await count();
    for (let i = 0; i < 2000; i++) (await connect(order)).release();
    expect(await count()).toEqual(before);
  });

  test('is released at the end of its `using` block, even if that came earlier', async () => {
    const order = openPool(one).partition('order');
    const connection = await connect(order);
    const dispose = connection[Symbol.dispose];
    connection.release();
    const next = await connect(order);
    dispose.call(connection);
    expect(order.isFull).toBe(true);
    next[Symbol.dispose]();
    expect(order.isFull).toBe(false);
  });

  test('with promises is released at the end of its `await using` block', async () => {
    const order = openPromisePool(one).partition('order');
    const connection = await order.getConnection();
    await connection[Symbol.asyncDispose]();
    expect(order.available).toBe(1);
  });

  test('by its deprecated end() is a release, as in mysql2', async () => {
    const order = openPool({ ...one, gracefulEnd: true }).partition('order');
    const connection = await connect(order);
    await new Promise<void>((resolve) => connection.end(() => resolve()));
    await until(() => order.available === 1);
    expect(await rows(order, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('with a statement not awaited is given to nobody before that is done, and loses nothing', async () => {
    const order = openPool(one).partition('order');
    await rows(order, 'drop table if exists committed');
    await rows(order, 'create table committed (n int) engine=innodb');
    const connection = await connect(order);
    const log: string[] = [];
    await rows(connection, 'begin');
    await rows(connection, 'insert into committed values (1)');
    void rows(connection, 'do sleep(0.1)').then(() => log.push('first ends'));
    void rows(connection, 'commit');
    connection.release();
    expect(order.isFull).toBe(true);
    expect(await rows(order, 'select n from committed')).toEqual([{ n: 1 }]);
    expect(log).toEqual(['first ends']);
    await rows(order, 'drop table committed');
  });

  test('with a statement that does not end in time is closed', async () => {
    const order = openPool({ ...one, acquireTimeoutMillis: 100, connectTimeout: 100 }).partition(
      'order',
    );
    const connection = await connect(order);
    void rows(connection, 'select sleep(3)').catch(() => {});
    const { threadId } = connection;
    connection.release();
    await until(() => order.available === 1);
    const next = await connect(order);
    expect(next.threadId).not.toBe(threadId);
    next.release();
  });

  test('inside a transaction, left by an exception, is rolled back when resetOnRelease says so', async () => {
    const order = openPool({ ...one, resetOnRelease: true }).partition('order');
    await rows(order, 'drop table if exists undone');
    await rows(order, 'create table undone (n int) engine=innodb');
    await order.withConnection(async (connection) => {
      await rows(connection, 'begin');
      await rows(connection, 'insert into undone values (1)');
    });
    expect(await rows(order, 'select n from undone')).toEqual([]);
    await rows(order, 'drop table undone');
  });
});

describe('a connection lost while it is leased', () => {
  test('ends nothing but itself, and its permit comes back once', async () => {
    const order = openPool(one).partition('order');
    const connection = await connect(order);
    const waiting = connect(order);
    await killOnServer(connection.threadId);
    const next = await waiting;
    expect(next).not.toBe(connection);
    await rejection(rows(connection, 'select 1'));
    connection.release();
    connection.destroy();
    order.releaseConnection(connection);
    expect(order.isFull).toBe(true);
    next.release();
    expect(order.available).toBe(1);
  });

  test('fails the query that ran on it', async () => {
    const pool = openPool(one);
    const order = pool.partition('order');
    const running = rejection(rows(order, 'select sleep(5)'));
    await sleep(50);
    const { _allConnections: all } = pool.physical.pool;
    await killOnServer(all.get(0)?.threadId as number);
    expect((await running).code).toMatch(/PROTOCOL_CONNECTION_LOST|ER_/);
    expect(await rows(order, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('while idle is noticed, and the next holder gets another', async () => {
    const order = openPool(one).partition('order');
    const connection = await connect(order);
    connection.release();
    await killOnServer(connection.threadId);
    expect(await rows(order, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(order.available).toBe(1);
  });
});

describe('withConnection', () => {
  test('releases the connection and returns what the function returns', async () => {
    const order = openPromisePool(one).partition('order');
    const found = await order.withConnection(async (connection) => {
      expect(order.isFull).toBe(true);
      return (await connection.query('select 1 as one'))[0];
    });
    expect(found).toEqual([{ one: 1 }]);
    expect(order.available).toBe(1);
  });

  test('releases the connection and throws what the function throws', async () => {
    const pool = openPool({ ...one, defaultPartition: 'order' });
    const error = await rejection(
      pool.withConnection(() => {
        throw new Error('out of stock');
      }),
    );
    expect(error.message).toBe('out of stock');
    expect(pool.partition('order').available).toBe(1);
  });

  test('does not release what its function has released, and somebody else has by then', async () => {
    const order = openPool(one).partition('order');
    let next: PoolConnection | undefined;
    await order.withConnection(async (connection) => {
      connection.release();
      next = await connect(order);
    });
    expect(order.isFull).toBe(true);
    next?.release();
  });

  test('takes the options of getConnection', async () => {
    const order = openPool(one).partition('order');
    const held = await connect(order);
    const refused = rejection(order.withConnection(() => 1, { acquireTimeoutMillis: 0 }));
    expect(await refused).toMatchObject({ code: 'ERR_PARTITION_FULL' });
    held.release();
  });
});

test('a lost connection says so to the promises of its holder, and not that it was released', async () => {
  const order = openPromisePool(one).partition('order');
  const connection = await order.getConnection();
  await killOnServer(connection.threadId);
  await until(() => order.available === 1);
  const error = await rejection(connection.query('select 1'));
  expect(error.message).toBe("Can't add new command when connection is in closed state");
});
