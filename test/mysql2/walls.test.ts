import { describe, expect, test } from '@jest/globals';
import { runIn } from '../../src/index.ts';
import {
  connect,
  makeUser,
  openPool,
  openPromisePool,
  rejection,
  rows,
  until,
} from '../support/mysql.ts';

const partitions = { order: 2, search: 2, batch: 1 };

describe('a divided pool', () => {
  test('serves one partition while another has taken all it may', async () => {
    const pool = openPool({ connectionLimit: 5, partitions });
    const held = await connect(pool.partition('batch'));
    const late = connect(pool.partition('batch'));
    expect(pool.partition('batch').stats().gauges.waiting).toBe(1);
    expect(await rows(pool.partition('order'), 'select 1 as one')).toEqual([{ one: 1 }]);
    held.release();
    (await late).release();
  });

  test('never opens more connections than its limit, whatever is asked of it', async () => {
    const { login, count } = await makeUser('walls');
    const pool = openPromisePool({
      ...login,
      connectionLimit: 5,
      partitions,
      maxWaiting: Infinity,
    });
    let running = true;
    let peak = 0;
    const watch = (async () => {
      while (running) peak = Math.max(peak, await count());
    })();
    const calls = (Object.keys(partitions) as (keyof typeof partitions)[]).flatMap((name) =>
      Array.from({ length: 60 }, (_, i) =>
        pool
          .partition(name)
          .query(i % 3 === 0 ? 'select nonsense' : 'select sleep(0.002)')
          .catch(() => undefined),
      ),
    );
    await Promise.all(calls);
    running = false;
    await watch;
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThanOrEqual(5);
    expect(pool.stats().inUse).toBe(0);
  });

  test('answers a few queries beside a storm of slow ones', async () => {
    const pool = openPromisePool({
      connectionLimit: 12,
      partitions: {
        order: 8,
        batch: { size: 4, maxWaiting: Infinity, acquireTimeoutMillis: 30_000 },
      },
    });
    await Promise.all(Array.from({ length: 8 }, () => pool.partition('order').query('select 1')));
    const storm = Array.from({ length: 40 }, () =>
      pool.partition('batch').query('select sleep(0.1)'),
    );
    const took: number[] = [];
    for (let i = 0; i < 50; i++) {
      const startedAt = performance.now();
      await pool.partition('order').query('select 1');
      took.push(performance.now() - startedAt);
    }
    // Without walls the first of them waits for half of the storm.
    expect(Math.max(...took)).toBeLessThan(100);
    await Promise.all(storm);
  });

  test('prefers the connection that a partition used last, which needs no reset', async () => {
    const pool = openPool({ connectionLimit: 2, partitions: { order: 1, batch: 1 } });
    const [order, batch] = [pool.partition('order'), pool.partition('batch')];
    const [a, b] = [await connect(order), await connect(batch)];
    a.release();
    b.release();
    const again = await connect(order);
    expect(again).toBe(a);
    expect(await connect(batch)).toBe(b);
    again.release();
    b.release();
  });

  test('says which partition is full, who holds it and what would have helped', async () => {
    const pool = openPromisePool({
      connectionLimit: 5,
      partitions: { ...partitions, batch: { size: 1, acquireTimeoutMillis: 30 } },
    });
    const connection = await pool.partition('batch').getConnection({ label: 'month-end' });
    const error = await rejection(pool.partition('batch').query('select 1'));
    expect(error).toMatchObject({
      code: 'ERR_ACQUIRE_TIMEOUT',
      partition: 'batch',
      step: 'waiting',
      inUse: 1,
      size: 1,
      holders: [{ label: 'month-end', threadId: connection.threadId }],
      status: 503,
    });
    expect(error.message).toMatch(
      /^timeout exceeded when trying to get a connection: partition 'batch'/,
    );
    expect(error.message).toMatch(/more than partitions\.batch\.size = 1$/);
    connection.release();
  });

  test.each([
    [{}, 'Queue limit reached. partition'],
    [{ waitForConnections: false }, 'No connections available. partition'],
  ])("refuses with %p in mysql2's own words", async (options, words) => {
    const pool = openPromisePool({
      ...options,
      connectionLimit: 1,
      queueLimit: 1,
      partitions: { order: 1 },
    });
    const order = pool.partition('order');
    const held = await order.getConnection();
    const waiting = order.query('select 1').catch(() => undefined);
    const error = await rejection(order.query('select 1'));
    expect(error).toMatchObject({ code: 'ERR_PARTITION_FULL' });
    expect(error.message.startsWith(words)).toBe(true);
    held.release();
    await waiting;
  });
});

describe('a call on the pool itself', () => {
  test('goes where runIn says, else to the default partition, and is counted', async () => {
    const pool = openPromisePool({ connectionLimit: 5, partitions, defaultPartition: 'order' });
    await runIn('batch', () => pool.query('select 1'));
    await runIn('batch', () => pool.execute('select 1'));
    await runIn('search', () => pool.withConnection((connection) => connection.query('select 1')));
    await pool.query('select 1');
    const granted = (name: keyof typeof partitions): number =>
      pool.partition(name).stats().counters.granted;
    expect([granted('order'), granted('search'), granted('batch')]).toEqual([1, 1, 2]);
    expect(pool.partition('order').stats().counters.contextFallbacks).toBe(1);
  });

  test('fails without either, and with a name that is not there; never silently elsewhere', async () => {
    const pool = openPool({ connectionLimit: 5, partitions });
    expect(await rejection(rows(pool, 'select 1'))).toMatchObject({ code: 'ERR_NO_PARTITION' });
    const lost = runIn('orders', () => rejection(rows(pool, 'select 1')));
    expect(await lost).toMatchObject({ code: 'ERR_UNKNOWN_PARTITION' });
    expect(() => pool.partition('ordr' as 'order')).toThrow("unknown partition 'ordr'");
  });

  test('of a pool without partitions takes no notice of runIn', async () => {
    const pool = openPromisePool({ connectionLimit: 1 });
    expect((await runIn('batch', () => pool.query('select 1 as one')))[0]).toEqual([{ one: 1 }]);
  });
});

describe('what was asked for and is given up', () => {
  test('by a signal leaves the line; a priority comes first; a label names its holder', async () => {
    const order = openPool({ connectionLimit: 1, partitions: { order: 1 } }).partition('order');
    const held = await connect(order);
    const log: string[] = [];
    const ask = (name: string, options: object): void => {
      order.getConnection((error, connection) => {
        log.push(error ? `${name} ${(error as Error & { code: string }).code}` : name);
        connection?.release();
      }, options);
    };
    const controller = new AbortController();
    ask('usual', {});
    ask('aborted', { signal: controller.signal });
    ask('urgent', { priority: 1 });
    controller.abort();
    held.release();
    await until(() => log.length === 3);
    expect(log).toEqual(['aborted ERR_ACQUIRE_ABORTED', 'urgent', 'usual']);
    expect(() => order.getConnection(() => {}, { timeout: 1 } as object)).toThrow('unknown option');
  });
});
