import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import watertightPg, * as exported from '../../drivers/pg/index.ts';
import { runIn } from '../../src/index.ts';
import { openPool, rejection, until } from '../support/pg.ts';

const partitions = { order: 2, search: 2, batch: 1 };

describe('a divided pool', () => {
  test('serves one partition while another has taken all it may', async () => {
    const pool = openPool({ max: 5, partitions });
    const held = await pool.partition('batch').connect();
    const late = pool.partition('batch').connect();
    expect(pool.partition('batch').waitingCount).toBe(1);
    const { rows } = await pool.partition('order').query('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
    held.release();
    (await late).release();
  });

  test('never opens more connections than max, whatever is asked of it', async () => {
    const name = 'walls-total';
    const pool = openPool({ max: 5, partitions, application_name: name, maxWaiting: Infinity });
    const observer = openPool();
    let running = true;
    let peak = 0;
    const watch = (async () => {
      while (running) {
        const { rows } = await observer.query(
          'select count(*)::int as n from pg_stat_activity where application_name = $1',
          [name],
        );
        peak = Math.max(peak, rows[0].n);
      }
    })();
    const calls = Object.keys(partitions).flatMap((partition) =>
      Array.from({ length: 60 }, async (_, i) =>
        pool
          .partition(partition as 'order')
          .query(i % 3 === 0 ? 'select 1/0' : 'select pg_sleep(0.002)')
          .catch(() => undefined),
      ),
    );
    await Promise.all(calls);
    running = false;
    await watch;
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThanOrEqual(5);
  });

  test('lends unreserved connections up to the max of a partition', async () => {
    const pool = openPool({ max: 4, partitions: { order: 2, batch: { size: 1, max: 2 } } });
    const batch = pool.partition('batch');
    const held = [await batch.connect(), await batch.connect()];
    expect(batch.isFull).toBe(true);
    expect(pool.partition('order').available).toBe(2);
    held.forEach((client) => client.release());
  });

  test('says which partition is full, who holds it and what would have helped', async () => {
    const pool = openPool({
      max: 5,
      partitions: { ...partitions, batch: { size: 1, acquireTimeoutMillis: 30 } },
    });
    const client = await pool.partition('batch').connect({ label: 'month-end' });
    await client.query('begin');
    const error = await rejection(pool.partition('batch').query('select 1'));
    expect(error).toMatchObject({
      code: 'ERR_ACQUIRE_TIMEOUT',
      partition: 'batch',
      step: 'waiting',
      inUse: 1,
      size: 1,
      holders: [{ label: 'month-end', state: 'in transaction' }],
      status: 503,
    });
    expect(error.message).toMatch(/^timeout exceeded when trying to connect: partition 'batch'/);
    expect(error.message).toMatch(/more than partitions\.batch\.size = 1$/);
    client.release();
  });

  test('refuses at once with acquireTimeoutMillis 0, and beyond maxWaiting', async () => {
    const pool = openPool({
      max: 2,
      partitions: {
        order: { size: 1, acquireTimeoutMillis: 0 },
        search: { size: 1, maxWaiting: 1 },
      },
    });
    const order = await pool.partition('order').connect();
    expect(await rejection(pool.partition('order').query('select 1'))).toMatchObject({
      code: 'ERR_PARTITION_FULL',
    });
    const search = await pool.partition('search').connect();
    const waiting = pool.partition('search').query('select 1');
    expect(await rejection(pool.partition('search').query('select 1'))).toMatchObject({
      code: 'ERR_PARTITION_FULL',
    });
    order.release();
    search.release();
    await waiting;
  });

  test('gives a waiter up when its signal says so, and its place in line with it', async () => {
    const pool = openPool({ max: 1, partitions: { order: { size: 1, maxWaiting: 1 } } });
    const order = pool.partition('order');
    const held = await order.connect();
    const controller = new AbortController();
    const given = rejection(order.connect({ signal: controller.signal }));
    controller.abort(new Error('client went away'));
    expect(await given).toMatchObject({
      name: 'AbortError',
      code: 'ERR_ACQUIRE_ABORTED',
      cause: new Error('client went away'),
    });
    const next = order.connect();
    expect(order.waitingCount).toBe(1);
    held.release();
    (await next).release();
  });

  test('serves a higher priority first', async () => {
    const pool = openPool({ max: 1, partitions: { order: 1 } });
    const order = pool.partition('order');
    const held = await order.connect();
    const log: string[] = [];
    const calls = [0, 0, 5].map(async (priority, i) => {
      const client = await order.connect({ priority });
      log.push(`${priority}#${i}`);
      client.release();
    });
    held.release();
    await Promise.all(calls);
    expect(log).toEqual(['5#2', '0#0', '0#1']);
  });

  test('is a pg.Pool, and so is each partition', () => {
    const pool = openPool({ max: 5, partitions });
    expect(pool).toBeInstanceOf(pg.Pool);
    expect(pool.partition('order')).toBeInstanceOf(pg.Pool);
    expect(pool.partition('order').constructor.name).toContain('Pool');
    expect(pool.partition('order').options.max).toBe(2);
    expect(pool.options.max).toBe(5);
  });

  test('knows a name that it was not given from one that it was', () => {
    const pool = openPool({ max: 5, partitions });
    expect(() => pool.partition('ordr' as 'order')).toThrow(
      "unknown partition 'ordr'; there are: 'order', 'search', 'batch'",
    );
  });

  test('without partitions is a plain pool with a deadline', async () => {
    const pool = openPool({ max: 2 });
    const calls = Array.from({ length: 300 }, () => pool.query('select 1'));
    expect(pool.waitingCount).toBe(298);
    await Promise.all(calls);
    await until(() => pool.idleCount === 2);
    expect(pool.totalCount).toBe(2);
    expect(pool.partition('default').stats().counters.granted).toBe(300);
  });

  test('exports everything that pg exports', () => {
    for (const key of Object.keys(pg)) expect(exported).toHaveProperty(key);
    for (const key of Object.getOwnPropertyNames(pg)) expect(watertightPg).toHaveProperty(key);
    expect(exported.Pool).toBe(watertightPg.Pool);
    expect(exported.Client).toBe(pg.Client);
  });
});

describe('calls on the pool itself', () => {
  test('go to the partition of the surrounding runIn, in every pool', async () => {
    const pools = [openPool({ max: 5, partitions }), openPool({ max: 5, partitions })];
    await runIn('batch', async () => {
      await Promise.resolve();
      for (const pool of pools) await pool.query('select 1');
    });
    for (const pool of pools) {
      expect(pool.partition('batch').stats().counters.granted).toBe(1);
      expect(pool.partition('order').stats().counters.granted).toBe(0);
    }
  });

  test('go to the default partition outside, and that is counted', async () => {
    const pool = openPool({ max: 5, partitions, defaultPartition: 'search' });
    await pool.query('select 1');
    const { granted, contextFallbacks } = pool.partition('search').stats().counters;
    expect({ granted, contextFallbacks }).toEqual({ granted: 1, contextFallbacks: 1 });
  });

  test('are an error without a default, in both call styles', async () => {
    const pool = openPool({ max: 5, partitions });
    expect(await rejection(pool.query('select 1'))).toMatchObject({ code: 'ERR_NO_PARTITION' });
    expect(await rejection(pool.connect())).toMatchObject({ code: 'ERR_NO_PARTITION' });
    const error = await new Promise((resolve) => pool.connect(resolve));
    expect(error).toMatchObject({ code: 'ERR_NO_PARTITION' });
  });

  test('are an error when runIn names a partition that the pool does not have', async () => {
    const pool = openPool({ max: 5, partitions, defaultPartition: 'order' });
    const error = await rejection(runIn('reports', () => pool.query('select 1')));
    expect(error).toMatchObject({ code: 'ERR_UNKNOWN_PARTITION', partition: 'reports' });
    expect(pool.partition('order').stats().counters.requested).toBe(0);
  });

  test('ignore runIn in a pool that was never divided', async () => {
    const pool = openPool({ max: 1 });
    expect((await runIn('batch', () => pool.query('select 1 as one'))).rows).toEqual([{ one: 1 }]);
  });

  test('leave a call on a partition where it is', async () => {
    const pool = openPool({ max: 5, partitions });
    await runIn('batch', () => pool.partition('order').query('select 1'));
    expect(pool.partition('order').stats().counters.granted).toBe(1);
  });

  test('carry the label of runIn into what an error says of the holder', async () => {
    const pool = openPool({ max: 5, partitions });
    const client = await runIn('batch', () => pool.connect(), { label: 'month-end' });
    const full = await rejection(pool.partition('batch').connect({ acquireTimeoutMillis: 0 }));
    expect(full).toMatchObject({ holders: [{ label: 'month-end' }] });
    client.release();
  });
});
