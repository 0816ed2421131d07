import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { openPool, openStockPool, rejection, until, url } from '../support/pg.ts';
import { openProxy, through } from '../support/proxy.ts';

const partitions = { order: { size: 1, acquireTimeoutMillis: 150 }, batch: 1 };
const open = (options = {}) => openPool({ max: 2, partitions, ...options });

/** Connections of this application as the server counts them. */
async function count(application: string): Promise<number> {
  const { rows } = await openStockPool({ max: 1 }).query(
    'select count(*)::int as count from pg_stat_activity where application_name = $1',
    [application],
  );
  return rows[0].count;
}

describe('a partition as a module', () => {
  test('has all that pg has; its pools are the partition', async () => {
    const order = open().partition('order');
    const driver = order.driver();
    expect(Object.getOwnPropertyNames(pg).filter((name) => !(name in driver))).toEqual([]);
    expect(driver.types).toBe(pg.types);
    expect(new driver.Pool({ max: 50 })).toBe(order);
    expect(order).toBeInstanceOf(driver.Pool);
    expect(driver.Pool.defaultMaxListeners).toBe(10);
    class Derived extends driver.Pool {}
    expect(new Derived()).toBe(order);
    // Not a getter, which would load the native clients.
    expect(Object.getOwnPropertyDescriptor(driver, 'native')).toMatchObject({ value: null });
    expect({ ...driver }.Client).toBe(driver.Client);
  });

  test('has clients that hold a permit until they are gone', async () => {
    const order = open().partition('order');
    const { Client } = order.driver();
    const client = new Client(url());
    expect(client).toBeInstanceOf(pg.Client);
    expect(order.isFull).toBe(false);
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(order.isFull).toBe(true);
    const error = await rejection(new Client(url()).connect());
    expect(error).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', partition: 'order' });
    const { processID } = client as unknown as { processID: number };
    expect(order.partition.describeHolders()).toMatchObject([{ processID }]);
    await client.end();
    await until(() => order.available === 1);
    expect((await order.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('connects them with a callback, in the context of the caller', async () => {
    const order = open().partition('order');
    const held = await order.connect();
    const storage = new AsyncLocalStorage<string>();
    const client = new (order.driver().Client)({ connectionString: url() });
    const told = storage.run(
      'caller',
      () =>
        new Promise((resolve) =>
          client.connect((error: Error | null) => resolve([error, storage.getStore()])),
        ),
    );
    storage.run('holder', () => held.release());
    expect(await told).toEqual([null, 'caller']);
    const queried = storage.run(
      'asker',
      () => new Promise((resolve) => client.query('select 1', () => resolve(storage.getStore()))),
    );
    // As with pg: that of the connection.
    expect(await queried).toBe('caller');
    await new Promise<void>((resolve) => client.end(() => resolve()));
    await until(() => order.available === 1);
  });

  test('runs queries of before the connection, and refuses them with it', async () => {
    const order = open().partition('order');
    const { Client } = order.driver();
    const first = new Client(url());
    void first.connect();
    expect((await first.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    const second = new Client(url());
    const ended = new Promise<void>((resolve) => second.once('end', resolve));
    const connected = rejection(second.connect());
    const queried = rejection(second.query('select 1'));
    expect(await connected).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT' });
    expect((await queried).message).toContain('Connection terminated');
    await ended;
    await first.end();
  });

  test('tells of a server that refuses, and gives the permit back', async () => {
    const order = open().partition('order');
    const nowhere = Object.assign(new URL(url()), { pathname: 'nowhere' }).href;
    const client = new (order.driver().Client)(nowhere);
    expect(await rejection(client.connect())).toMatchObject({ code: '3D000' });
    await until(() => order.available === 1);
    expect(order.stats().counters.failed).toBe(1);
  });

  test('closes an idle connection of the pool when there is no room beside it', async () => {
    const application_name = 'beside';
    const pool = open({ application_name });
    const order = pool.partition('order');
    const idle = await order.connect();
    const held = await pool.partition('batch').connect();
    idle.release();
    const { Client } = order.driver();
    const client = new Client({ connectionString: url(), application_name });
    await client.connect();
    expect(await count(application_name)).toBe(2);
    held.release();
    await client.end();
    await until(() => order.available === 1);
  });

  test('has no use for the connection that comes with a permit', async () => {
    const application_name = 'handed over';
    const pool = open({ application_name });
    const order = pool.partition('order');
    const held = await order.connect();
    const other = await pool.partition('batch').connect();
    const client = new (order.driver().Client)({ connectionString: url(), application_name });
    const connected = client.connect();
    held.release();
    await connected;
    expect(await count(application_name)).toBe(2);
    other.release();
    await client.end();
    await until(() => order.available === 1);
    expect((await order.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('takes a client that was ended before its turn out of the way', async () => {
    const order = open().partition('order');
    const held = await order.connect();
    const client = new (order.driver().Client)(url());
    const connected = rejection(client.connect());
    await client.end();
    await connected;
    held.release();
    await until(() => order.available === 1);
    expect((await order.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('gives the permit back when the server is silent or the pool ends', async () => {
    const proxy = await openProxy();
    proxy.silent = true;
    const pool = open();
    const order = pool.partition('order');
    const { Client } = order.driver();
    expect(await rejection(new Client(through(proxy)).connect())).toMatchObject({
      code: 'ERR_ACQUIRE_TIMEOUT',
      step: 'connecting',
    });
    await until(() => order.available === 1);
    const client = new Client(url());
    await client.connect();
    const running = rejection(client.query('select pg_sleep(60)'));
    const ended = pool.end({ timeoutMillis: 20 });
    expect((await running).message).toBe('the pool has ended');
    await ended;
  });

  test('destroys a client whose goodbye is not answered', async () => {
    const proxy = await openProxy();
    const order = open().partition('order');
    const client = new (order.driver().Client)(through(proxy));
    await client.connect();
    proxy.freeze();
    await client.end();
    await until(() => order.available === 1);
  });

  test('survives a connection that breaks while nobody listens', async () => {
    const order = open().partition('order');
    const client = new (order.driver().Client)(url());
    await client.connect();
    const { processID } = client as unknown as { processID: number };
    await openStockPool({ max: 1 }).query('select pg_terminate_backend($1)', [processID]);
    await until(() => order.available === 1);
    expect((await rejection(client.query('select 1'))).message).toContain('not queryable');
  });

  test('reads a password that is hidden from enumeration, as in the options of a pool', async () => {
    const hidden = Object.defineProperty({}, 'password', { value: 'hidden', enumerable: false });
    const client = new (open().partition('order').driver().Client)(hidden);
    expect(client.password).toBe('hidden');
  });

  test('refuses a stream of its own, which would be open before its turn', () => {
    const { Client } = open().partition('order').driver();
    const config = { stream: () => undefined } as unknown as pg.ClientConfig;
    expect(() => new Client(config)).toThrow('stream: expected');
  });

  test('refuses native clients, which open their connections themselves', () => {
    const pool = open().partition('order');
    jest.isolateModules(() => {
      jest.doMock('pg', () => ({ Client: EventEmitter }));
      const { leaseClientOf } = jest.requireActual<
        typeof import('../../drivers/pg/lease-client.ts')
      >('../../drivers/pg/lease-client.ts');
      expect(() => new (leaseClientOf(pool))()).toThrow('native');
      jest.dontMock('pg');
    });
  });
});
