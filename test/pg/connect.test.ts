import { AsyncLocalStorage } from 'node:async_hooks';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openPool, openStockPool, rejection, until } from '../support/pg.ts';
import { openProxy, through } from '../support/proxy.ts';

const order = { size: 1, acquireTimeoutMillis: 100 };

/** What is written from now on, a goodbye for instance, leaves a little later. */
function slowDown(stream: Duplex): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = ((...args: unknown[]) => {
    setTimeout(() => write(...args), 100);
    return true;
  }) as typeof stream.write;
}

describe('a connection that takes longer than its caller may wait', () => {
  test('keeps its permit, serves the next waiter and is never delivered late', async () => {
    const proxy = await openProxy();
    proxy.delayMillis = 300;
    const pool = openPool({ ...through(proxy), max: 1, partitions: { order } });
    const partition = pool.partition('order');
    const first = await rejection(partition.connect());
    expect(first).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', step: 'connecting', inUse: 1 });
    expect(first.message).toContain('waited for a connection');
    const client = await partition.connect({ acquireTimeoutMillis: 2000 });
    expect(proxy.accepted).toBe(1);
    expect(partition.stats().gauges.inUse).toBe(1);
    client.release();
  });

  test('becomes idle when nobody waits for it any more', async () => {
    const proxy = await openProxy();
    proxy.delayMillis = 200;
    const pool = openPool({ ...through(proxy), max: 1, partitions: { order } });
    const partition = pool.partition('order');
    await rejection(partition.connect());
    expect(partition.available).toBe(0);
    await until(() => partition.available === 1);
    expect(pool.idleCount).toBe(1);
    await partition.query('select 1');
    expect(proxy.accepted).toBe(1);
  });

  test('gives its permit up in the end when the server never answers', async () => {
    const proxy = await openProxy();
    proxy.silent = true;
    const pool = openPool({
      ...through(proxy),
      max: 1,
      partitions: { order: 1 },
      connectionTimeoutMillis: 100,
    });
    const partition = pool.partition('order');
    expect(await rejection(partition.query('select 1'))).toMatchObject({ step: 'connecting' });
    expect(partition.isFull).toBe(true);
    await until(() => !partition.isFull);
    proxy.silent = false;
    expect((await partition.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('may be aborted, and is kept for others', async () => {
    const proxy = await openProxy();
    proxy.delayMillis = 200;
    const pool = openPool({ ...through(proxy), max: 1, partitions: { order: 1 } });
    const partition = pool.partition('order');
    const controller = new AbortController();
    const aborted = rejection(partition.connect({ signal: controller.signal }));
    controller.abort();
    expect(await aborted).toMatchObject({ code: 'ERR_ACQUIRE_ABORTED', step: 'connecting' });
    await partition.query('select 1');
    expect(proxy.accepted).toBe(1);
    expect(partition.stats().counters.abortedByReason).toEqual({ AbortError: 1 });
  });
});

describe('a deadline', () => {
  test('that passes after the delivery tells the caller nothing more', async () => {
    const pool = openPool({
      max: 2,
      partitions: { order: { size: 2, acquireTimeoutMillis: 1000 } },
    });
    const partition = pool.partition('order');
    let calls = 0;
    partition.connect((_, client) => {
      calls++;
      setTimeout(() => client?.release(), 1300);
    });
    await partition.withConnection((client) => client.query('select pg_sleep(1.3)'));
    await until(() => partition.available === 2);
    expect(calls).toBe(1);
    expect(partition.stats().counters).toMatchObject({ granted: 2, timedOut: 0 });
  });

  test('holds even for a client that never calls back', async () => {
    class Deaf extends pg.Client {
      override connect(): Promise<pg.Client>;
      override connect(callback: unknown): void;
      override connect(): Promise<pg.Client> | void {
        return undefined;
      }
    }
    const pool = new (await import('../../drivers/pg/index.ts')).Pool({
      Client: Deaf as unknown as new () => pg.Client,
      max: 1,
      partitions: { order },
    });
    const error = await rejection(pool.partition('order').connect());
    expect(error).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', step: 'connecting' });
  });

  test('holds for an onConnect hook that never returns, and the permit comes back', async () => {
    let hang = true;
    const pool = openPool({
      max: 1,
      partitions: { order: 1 },
      connectionTimeoutMillis: 100,
      onConnect: () => (hang ? new Promise<void>(() => {}) : Promise.resolve()) as unknown as void,
    });
    const partition = pool.partition('order');
    expect(await rejection(partition.connect())).toMatchObject({ step: 'connecting' });
    hang = false;
    await until(() => !partition.isFull);
    (await partition.connect()).release();
  });

  test('is one: the connect gets only what the line has left', async () => {
    const proxy = await openProxy();
    const pool = openPool({
      ...through(proxy),
      max: 1,
      partitions: { order: { size: 1, acquireTimeoutMillis: 600 } },
    });
    const partition = pool.partition('order');
    const held = await partition.connect();
    proxy.delayMillis = 500;
    const started = performance.now();
    const waiting = rejection(partition.connect());
    await new Promise((resolve) => setTimeout(resolve, 300));
    held.release(true);
    const error = await waiting;
    const took = performance.now() - started;
    expect(error).toMatchObject({ step: 'connecting' });
    expect(took / 600).toBeLessThan(1.5);
  });
});

describe('a server that refuses', () => {
  test('a wrong password is the error of pg, and gives the permit back', async () => {
    const admin = openStockPool({ max: 1 });
    await admin.query(
      "drop role if exists nologin_user; create role nologin_user nologin password 'secret'",
    );
    const proxy = await openProxy();
    const pool = openPool({
      ...through(proxy, { name: 'nologin_user', password: 'secret' }),
      max: 1,
      partitions: { order },
    });
    const partition = pool.partition('order');
    const error = await rejection(partition.query('select 1'));
    expect(error.code).toBe('28000');
    expect(JSON.stringify(error) + error.message).not.toContain('secret');
    expect(partition.available).toBe(1);
    expect(partition.stats().counters).toMatchObject({ failed: 1, granted: 0 });
  });

  test('too many connections is the error of pg, for each caller its own', async () => {
    const admin = openStockPool({ max: 1 });
    await admin.query('drop role if exists one_only');
    await admin.query("create role one_only login connection limit 1 password 'secret'");
    const proxy = await openProxy();
    const pool = openPool({
      ...through(proxy, { name: 'one_only', password: 'secret' }),
      max: 3,
      partitions: { order: 3 },
    });
    const partition = pool.partition('order');
    const first = await partition.connect();
    const errors = await Promise.all([
      rejection(partition.query('select 1')),
      rejection(partition.query('select 1')),
    ]);
    expect(errors.map(({ code }) => code)).toEqual(['53300', '53300']);
    expect(partition.available).toBe(2);
    first.release();
    await partition.query('select 1');
  });

  test('a server that is starting up is the error of pg', async () => {
    const server = net.createServer((socket) => {
      const fields = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';
      const message = Buffer.alloc(5 + fields.length);
      message.write('E', 0);
      message.writeInt32BE(4 + fields.length, 1);
      message.write(fields, 5, 'latin1');
      socket.on('data', () => socket.end(message));
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const pool = openPool({
      connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
      max: 1,
      partitions: { order },
    });
    expect(await rejection(pool.partition('order').query('select 1'))).toMatchObject({
      code: '57P03',
    });
    expect(pool.partition('order').available).toBe(1);
    server.close();
  });

  test('an unreachable one fails each waiter in turn, and none is left', async () => {
    const proxy = await openProxy();
    const config = { ...through(proxy), max: 2, partitions: { order: 2 } };
    await new Promise((resolve) => setTimeout(resolve, 10));
    const gone = openPool({
      ...config,
      connectionString: config.connectionString.replace(/:\d+\//, ':1/'),
    });
    const errors = await Promise.all(
      Array.from({ length: 20 }, () => rejection(gone.partition('order').query('select 1'))),
    );
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['ECONNREFUSED']));
    expect(gone.partition('order').stats().gauges).toMatchObject({ inUse: 0, waiting: 0 });
  });

  test('a client that cannot even be made is an error like any other', async () => {
    class Broken extends pg.Client {
      constructor() {
        super();
        throw new Error('no such certificate');
      }
    }
    const pool = openPool({ Client: Broken, max: 1, partitions: { order } });
    const error = await rejection(pool.partition('order').query('select 1'));
    expect(error.message).toBe('no such certificate');
    expect(pool.partition('order').available).toBe(1);
  });
});

describe('connections that are being closed', () => {
  test('count: none is opened before there is room for it', async () => {
    const proxy = await openProxy();
    const pool = openPool({ ...through(proxy), max: 2, partitions: { order: 2 } });
    const partition = pool.partition('order');
    const open = new Set<unknown>();
    let peak = 0;
    partition.on('connect', (client) => {
      open.add(client);
      peak = Math.max(peak, open.size);
    });
    partition.on('remove', (client) => open.delete(client));
    const once = async (): Promise<void> => {
      const client = await partition.connect();
      client.release(true);
    };
    const both = await Promise.all([partition.connect(), partition.connect()]);
    const rest = Array.from({ length: 38 }, once);
    for (const client of both) client.release(true);
    await Promise.all(rest);
    expect(peak).toBe(2);
    await until(() => partition.available === 2);
  });

  test('count when they were idle too, and the next is dialled in the context of its caller', async () => {
    const proxy = await openProxy();
    const config = { max: 1, partitions: { order: 1 }, idleTimeoutMillis: 20 };
    const pool = openPool({ ...through(proxy), ...config });
    const als = new AsyncLocalStorage<string>();
    const log: string[] = [];
    pool.on('connect', () => log.push(`connect ${als.getStore()}`));
    pool.on('remove', () => log.push('remove'));
    const client = await als.run('first', () => pool.partition('order').connect());
    client.release();
    slowDown(client.connection.stream);
    await until(() => pool.totalCount === 0);
    expect(log).toEqual(['connect first']);
    const next = als.run('second', () => pool.partition('order').connect());
    (await next).release();
    expect(log).toEqual(['connect first', 'remove', 'connect second']);
  });

  test('that hang are destroyed, so that their place is not lost', async () => {
    const proxy = await openProxy();
    const pool = openPool({ ...through(proxy), max: 1, partitions: { order: 1 } });
    const partition = pool.partition('order');
    const client = await partition.connect();
    // Its goodbye never arrives, as when a network is gone without a word.
    client.connection.stream.end = () => client.connection.stream;
    client.connection.stream.write = () => true;
    client.release(true);
    expect((await partition.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('a network that is cut', () => {
  test('loses no permit of leased, idle and waiting callers', async () => {
    const proxy = await openProxy();
    const pool = openPool({ ...through(proxy), max: 4, partitions: { order: 2, batch: 2 } });
    pool.on('error', () => {});
    const [order1, batch] = [pool.partition('order'), pool.partition('batch')];
    const held = await Promise.all([order1.connect(), order1.connect(), batch.connect()]);
    await batch.query('select 1');
    const waiting = order1.query('select 1 as one');
    proxy.cut();
    expect((await waiting).rows).toEqual([{ one: 1 }]);
    held.forEach((client) => client.release());
    await until(() => order1.available === 2 && batch.available === 2);
    await Promise.all([order1.query('select 1'), batch.query('select 1')]);
  });
});
