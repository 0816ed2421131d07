import { describe, expect, test } from '@jest/globals';
import Cursor from 'pg-cursor';
import { openPool, openStockPool, rejection, until } from '../support/pg.ts';

const terminate = async (processID: number): Promise<void> => {
  await openStockPool({ max: 1 }).query('select pg_terminate_backend($1)', [processID]);
};

const pidOf = async (client: { query(text: string): Promise<{ rows: { pid: number }[] }> }) =>
  (await client.query('select pg_backend_pid() as pid')).rows[0]!.pid;

describe('a released client', () => {
  test('goes straight to the next waiter of its partition', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const first = await order.connect();
    const waiting = order.connect();
    let handedOver: unknown;
    order.once('acquire', (client) => (handedOver = client));
    first.release();
    expect(handedOver).toBe(first);
    (await waiting).release();
  });

  test('is checked in between two leases while it has uses or a lifetime to count', async () => {
    for (const limit of [{ maxUses: 1 }, { maxLifetimeSeconds: 3600 }]) {
      const pool = openPool({ max: 1, partitions: { order: 1 }, ...limit });
      const order = pool.partition('order');
      const first = await order.connect();
      const waiting = order.connect();
      first.release();
      const second = await waiting;
      expect(second === first).toBe(!('maxUses' in limit));
      second.release();
    }
  });

  test('throws when it is released twice, and frees nothing', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const client = await order.connect();
    client.release();
    expect(() => client.release()).toThrow(
      'Release called on client which has already been released to the pool.',
    );
    expect(order.available).toBe(1);
  });

  test('cannot be released for its next owner by the release function of an old lease', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const old = await new Promise<() => void>((resolve, reject) => {
      order.connect((error, _, release) => (error ? reject(error) : resolve(release)));
    });
    old();
    const owner = await order.connect();
    expect(old).toThrow('already been released');
    expect(order.isFull).toBe(true);
    owner.release();
  });

  test('is released at the end of its `using` block, even if that came earlier', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const client = await order.connect();
    const dispose = (client as unknown as Disposable)[Symbol.dispose].bind(client);
    client.release();
    const next = await order.connect();
    dispose();
    expect(order.isFull).toBe(true);
    (next as unknown as Disposable)[Symbol.dispose]();
    expect(order.isFull).toBe(false);
  });

  test('is closed when told so, and its permit is in use until the socket is gone', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const first = await order.connect();
    const pid = await pidOf(first);
    let gone = false;
    order.once('remove', () => (gone = true));
    first.release(true);
    expect(order.isFull).toBe(true);
    expect(order.totalCount).toBe(0);
    const second = await order.connect();
    expect(gone).toBe(true);
    expect(await pidOf(second)).not.toBe(pid);
    second.release();
  });

  test('with a query still running is given to nobody before that has ended', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const first = await order.connect();
    const log: string[] = [];
    const running = first.query('select pg_sleep(0.1)').then(() => log.push('first ends'));
    first.release();
    expect(order.isFull).toBe(true);
    await order.query('select 1').then(() => log.push('second'));
    await running;
    expect(log).toEqual(['first ends', 'second']);
  });

  test('with a COMMIT not awaited loses nothing', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    await order.query('drop table if exists committed; create table committed (n int)');
    const client = await order.connect();
    await client.query('begin');
    await client.query('insert into committed values (1)');
    void client.query('commit');
    client.release();
    expect((await order.query('select n from committed')).rows).toEqual([{ n: 1 }]);
    await order.query('drop table committed');
  });

  test.each([
    ['open', 'select 1'],
    ['failed', 'select 1/0'],
  ])('inside an %s transaction is rolled back', async (_, statement) => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const client = await order.connect();
    const pid = await pidOf(client);
    await client.query('begin');
    await client.query('set local search_path to nowhere');
    await client.query(statement).catch(() => undefined);
    client.release();
    const next = await order.connect();
    expect(await pidOf(next)).toBe(pid);
    expect((await next.query('show search_path')).rows[0].search_path).not.toBe('nowhere');
    expect(next.getTransactionStatus()).toBe('I');
    next.release();
  });

  test('with a query still running inside a transaction is rolled back when that has ended', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const client = await order.connect();
    await client.query('begin');
    const running = client.query('select pg_sleep(0.05)');
    client.release();
    const next = await order.connect();
    await running;
    expect(next.getTransactionStatus()).toBe('I');
    next.release();
  });

  test('whose query timed out here does not hold up its next holder', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 }, query_timeout: 80 });
    const order = pool.partition('order');
    const client = await order.connect();
    await rejection(client.query('select pg_sleep(0.3)'));
    client.release();
    expect((await order.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('with a cursor left open is closed after a while, and its permit comes back', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 }, connectionTimeoutMillis: 100 });
    const order = pool.partition('order');
    const client = await order.connect();
    const cursor = client.query(new Cursor('select * from generate_series(1, 1000)'));
    await cursor.read(1);
    client.release();
    await until(() => !order.isFull);
    expect((await order.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('costs no listener: 10,000 checkouts leave as many as one', async () => {
    const pool = openPool({
      max: 2,
      partitions: { order: 1, batch: 1 },
      defaultPartition: 'order',
    });
    const count = async (): Promise<number[]> => {
      const client = await pool.connect();
      const listeners = client.eventNames().map((event) => client.listenerCount(event));
      client.release();
      const { pool: physical } = pool.physical;
      return [...listeners, ...physical.eventNames().map((name) => physical.listenerCount(name))];
    };
    await pool.query('select 1');
    const before = await count();
    for (let i = 0; i < 5000; i++) (await pool.connect()).release();
    const once = (): Promise<void> => pool.connect().then((client) => client.release());
    for (let i = 0; i < 100; i++) await Promise.all(Array.from({ length: 50 }, once));
    for (let i = 0; i < 5000; i++)
      await pool
        .partition('batch')
        .connect()
        .then((c) => c.release());
    expect(await count()).toEqual(before);
  });
});

describe('a client lost while it is leased', () => {
  test.each(['with', 'without'])('ends nothing but itself, %s a listener', async (listening) => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const client = await order.connect();
    const errors: Error[] = [];
    if (listening === 'with') client.on('error', (error) => errors.push(error));
    const pid = await pidOf(client);
    await client.query('begin');
    const next = order.connect();
    await terminate(pid);
    const second = await next;
    expect(second).not.toBe(client);
    expect(errors.length > 0).toBe(listening === 'with');
    await rejection(client.query('select 1'));
    client.release();
    expect(() => client.release()).toThrow('already been released');
    expect(order.isFull).toBe(true);
    second.release();
  });

  test('fails the query that ran on it and gives the permit back once', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const running = rejection(order.query('select pg_sleep(5)'));
    await until(() => order.totalCount === 1);
    const other = openStockPool({ max: 1 });
    await until(async () => {
      const { rowCount } = await other.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(5)'",
      );
      return rowCount === 1;
    });
    expect(await running).toMatchObject({ code: '57P01' });
    expect((await order.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(order.available).toBe(1);
  });

  test('may have been ended by its holder, who forgot to release it', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const client = await order.connect();
    await client.end();
    const next = await order.connect();
    next.release();
    client.release();
    expect(order.available).toBe(1);
    await pool.end();
  });
});

describe('withConnection', () => {
  test('releases the client and returns what the function returns', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const one = await order.withConnection(async (client) => {
      expect(order.isFull).toBe(true);
      return (await client.query('select 1 as one')).rows[0].one as number;
    });
    expect(one).toBe(1);
    expect(order.available).toBe(1);
  });

  test('releases the client and throws what the function throws', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 }, defaultPartition: 'order' });
    const error = await rejection(
      pool.withConnection(() => {
        throw new Error('out of stock');
      }),
    );
    expect(error.message).toBe('out of stock');
    expect(pool.partition('order').available).toBe(1);
  });

  test('takes the options of connect', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const held = await order.connect();
    const refused = rejection(order.withConnection(() => 1, { acquireTimeoutMillis: 0 }));
    expect(await refused).toMatchObject({ code: 'ERR_PARTITION_FULL' });
    held.release();
  });
});
