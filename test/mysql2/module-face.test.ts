import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import mysql2 from 'mysql2';
import type { Connection } from 'mysql2';
import stockPromise from 'mysql2/promise';
import {
  connect,
  makeUser,
  openMysqlProxy,
  openPool,
  openPromisePool,
  rejection,
  rows,
  until,
  url,
} from '../support/mysql.ts';

const partitions = { order: 1, batch: 1 };
const open = (options = {}) => openPool({ connectionLimit: 2, partitions, ...options });

const connected = (connection: Connection): Promise<Connection> =>
  new Promise((resolve, reject) => {
    connection.once('connect', () => resolve(connection));
    connection.once('error', reject);
  });

const ended = (connection: Connection): Promise<void> =>
  new Promise((resolve) => connection.end(() => resolve()));

describe('a partition as a module', () => {
  test('has all that mysql2 has; its pools are the partition', () => {
    const order = open().partition('order');
    const driver = order.driver();
    const missing = Object.getOwnPropertyNames(mysql2).filter((name) => !(name in driver));
    expect(missing).toEqual([]);
    expect(driver.createPool({ connectionLimit: 50 })).toBe(order);
    expect(driver.escape).toBe(mysql2.escape);
    const promise = openPromisePool({ connectionLimit: 1, partitions: { order: 1 } }).partition(
      'order',
    );
    const face = promise.driver();
    expect(face.createPool()).toBe(promise);
    expect(Object.getOwnPropertyNames(stockPromise).filter((name) => !(name in face))).toEqual([]);
    expect(() => driver.createPoolCluster()).toThrow('beside the partitions');
  });

  test('opens connections that hold a permit until they are gone', async () => {
    const order = open({ maxWaiting: 0 }).partition('order');
    const connection = await connected(order.driver().createConnection(url()));
    expect(await rows(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(order.isFull).toBe(true);
    const error = await rejection(connected(order.driver().createConnection({ uri: url() })));
    expect(error).toMatchObject({ code: 'ERR_PARTITION_FULL', partition: 'order' });
    expect(order.partition.describeHolders()).toMatchObject([{ threadId: connection.threadId }]);
    await ended(connection);
    await until(() => order.available === 1);
    expect(await rows(order, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('opens them in the context of the caller, not of whoever made room', async () => {
    const order = open().partition('order');
    const held = await connect(order);
    const storage = new AsyncLocalStorage<string>();
    const seen = storage.run('caller', () => {
      const connection = order.driver().createConnection(url());
      return new Promise((resolve, reject) => {
        connection.once('error', reject);
        connection.once('connect', () => {
          resolve(storage.getStore());
          connection.destroy();
        });
      });
    });
    storage.run('releaser', () => held.release());
    expect(await seen).toBe('caller');
    await until(() => order.available === 1);
  });

  test('opens them by promise, too', async () => {
    const order = openPromisePool({ connectionLimit: 1, partitions: { order: 1 } }).partition(
      'order',
    );
    const connection = await order.driver().createConnection({ uri: url() });
    expect((await connection.query('select 1 as one'))[0]).toEqual([{ one: 1 }]);
    expect(order.isFull).toBe(true);
    connection.destroy();
    await until(() => order.available === 1);
    expect(
      await rejection(order.driver().createConnection({ uri: url(), user: 'nobody-knows' })),
    ).toMatchObject({ code: 'ER_ACCESS_DENIED_ERROR' });
    await until(() => order.available === 1);
  });

  test('closes an idle connection of the pool when there is no room beside it', async () => {
    const { login, count } = await makeUser('beside');
    const pool = open(login);
    const idle = await connect(pool.partition('order'));
    const held = await connect(pool.partition('batch'));
    idle.release();
    const connection = await connected(
      pool
        .partition('order')
        .driver()
        .createConnection({ uri: url(), ...login }),
    );
    expect(await count()).toBe(2);
    held.release();
    await ended(connection);
    await until(() => pool.partition('order').available === 1);
  });

  test('takes a connection that was ended before its turn out of the way', async () => {
    const order = open().partition('order');
    const held = await connect(order);
    const connection = order.driver().createConnection(url());
    const told: Error[] = [];
    connection.on('error', (error) => told.push(error));
    connection.destroy();
    held.release();
    expect(order.available).toBe(1);
    expect(await rows(order, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(told).toEqual([]);
  });

  test('takes the place of a connection that is handed over to it', async () => {
    const order = openPool({ connectionLimit: 1, partitions: { order: 1 } }).partition('order');
    const held = await connect(order);
    const connecting = connected(order.driver().createConnection(url()));
    held.release();
    const connection = await connecting;
    await ended(connection);
    expect(await rows(order, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('gives the permit back when the server is silent or the pool ends', async () => {
    const { proxy, through } = await openMysqlProxy();
    proxy.silent = true;
    const pool = open({ acquireTimeoutMillis: 1000 });
    const order = pool.partition('order');
    const lost = order.driver().createConnection({ uri: url(), ...through });
    expect(await rejection(connected(lost))).toMatchObject({
      code: 'ERR_ACQUIRE_TIMEOUT',
      step: 'connecting',
    });
    await until(() => order.available === 1);
    const connection = await connected(order.driver().createConnection(url()));
    const failed = new Promise<Error>((resolve) => connection.once('error', resolve));
    await pool.promise().end({ timeoutMillis: 20 });
    expect((await failed).message).toBe('the pool has ended');
  });

  test('refuses a stream of its own, which would be open before its turn', () => {
    const order = open().partition('order');
    expect(() => order.driver().createConnection({ stream: () => {} })).toThrow('stream: expected');
  });
});
