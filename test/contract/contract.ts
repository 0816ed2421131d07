/**
 * What every driver must show, whatever its database: written once, run against each. What only one
 * of them has (sessions, cursors, callbacks) is tested beside it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import type { AcquireError } from '../../src/errors.ts';
import { runIn } from '../../src/context.ts';
import type { Driver, OpenedPool, OpenOptions } from './driver.ts';

const shop: OpenOptions = {
  max: 4,
  partitions: { order: 2, batch: 1, search: { size: 0, max: 1 } },
  acquireTimeoutMillis: 5_000,
};

const rejection = async (promise: Promise<unknown>): Promise<AcquireError> => {
  const outcome = await promise.then(
    () => undefined,
    (error: AcquireError) => error,
  );
  if (outcome === undefined) throw new Error('expected a rejection');
  return outcome;
};

/** Gives up before jest does, so that nothing goes on asking after a test. */
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (let asked = 0; !(await condition()); asked++) {
    if (asked === 10_000) throw new Error(`this never comes true: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

const waiting = (pool: OpenedPool, partition: string, count: number): Promise<void> =>
  until(() => pool.stats(partition).gauges.waiting === count);

/** So that a short patience is spent in line, and not on a machine that is slow to connect. */
async function openWarm(driver: Driver, options: OpenOptions): Promise<OpenedPool> {
  const pool = await driver.open(options);
  const connected = (): Promise<boolean> =>
    pool.query('batch').then(
      () => true,
      () => false,
    );
  await until(connected);
  return pool;
}

/** Nothing is held, nobody waits, and everything is there again. */
async function expectWhole(pool: OpenedPool, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await until(() => pool.stats(name).gauges.inUse === 0);
    const { gauges } = pool.stats(name);
    expect({ name, ...gauges }).toMatchObject({ inUse: 0, waiting: 0 });
    await pool.query(name);
  }
}

export function describeContract(driver: Driver): void {
  describe(`${driver.name}: walls`, () => {
    test('a full partition takes nothing from another', async () => {
      const pool = await driver.open(shop);
      const reports = await pool.hold('batch');
      const queue = Array.from({ length: 20 }, () => pool.query('batch'));
      await waiting(pool, 'batch', 20);
      await Promise.all(Array.from({ length: 20 }, () => pool.query('order')));
      expect(pool.stats('batch').gauges).toMatchObject({ inUse: 1, waiting: 20 });
      await reports.release();
      await Promise.all(queue);
      await expectWhole(pool, ['order', 'batch', 'search']);
    });

    test('a partition holds its size and not one more', async () => {
      const pool = await driver.open(shop);
      const held = [await pool.hold('order'), await pool.hold('order')];
      expect(new Set(held.map(({ id }) => id)).size).toBe(2);
      expect(pool.partitionOf('order')).toMatchObject({ available: 0, isFull: true });
      const third = pool.query('order');
      await waiting(pool, 'order', 1);
      expect(pool.stats('order').gauges.inUse).toBe(2);
      await held.pop()?.release();
      await third;
      await Promise.all(held.map((each) => each.release()));
      await expectWhole(pool, ['order']);
    });

    test('what nobody has reserved goes to those that may have it', async () => {
      const pool = await driver.open(shop);
      const search = await pool.hold('search');
      expect(pool.partitionOf('search').isFull).toBe(true);
      await search.release();
      await expectWhole(pool, ['search']);
    });

    test('the server never counts more connections than max', async () => {
      const pool = await driver.open(shop);
      let most = 0;
      let running = true;
      const watch = (async () => {
        while (running) {
          most = Math.max(most, await pool.countConnections());
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      })();
      const names = ['order', 'batch', 'search'];
      await Promise.all(
        Array.from({ length: 90 }, (_, index) => pool.query(names[index % names.length])),
      );
      running = false;
      await watch;
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(shop.max);
      await expectWhole(pool, names);
    });
  });

  describe(`${driver.name}: the line`, () => {
    test('serves first come, first served', async () => {
      const pool = await driver.open(shop);
      const first = await pool.hold('batch');
      const order: number[] = [];
      const calls = [1, 2, 3].map(async (number) => {
        const held = await pool.hold('batch');
        order.push(number);
        await held.release();
      });
      await waiting(pool, 'batch', 3);
      await first.release();
      await Promise.all(calls);
      expect(order).toEqual([1, 2, 3]);
    });

    test('refuses at once whom it has no place for', async () => {
      const pool = await driver.open({ ...shop, maxWaiting: 1 });
      const first = await pool.hold('batch');
      const second = pool.query('batch');
      await waiting(pool, 'batch', 1);
      const refused = await rejection(pool.query('batch'));
      expect(refused).toMatchObject({ code: 'ERR_PARTITION_FULL', partition: 'batch' });
      await first.release();
      await second;
    });

    test('with a patience of 0 is no line at all', async () => {
      const pool = await openWarm(driver, { ...shop, acquireTimeoutMillis: 0 });
      const first = await pool.hold('batch');
      expect(await rejection(pool.query('batch'))).toMatchObject({ code: 'ERR_PARTITION_FULL' });
      await first.release();
      await expectWhole(pool, ['batch']);
    });
  });

  describe(`${driver.name}: the deadline`, () => {
    test('tells who waited how long for what, and who has it', async () => {
      const pool = await openWarm(driver, { ...shop, acquireTimeoutMillis: 40 });
      const held = await pool.hold('batch');
      const error = await rejection(pool.query('batch'));
      expect(error).toMatchObject({
        code: 'ERR_ACQUIRE_TIMEOUT',
        partition: 'batch',
        step: 'waiting',
        inUse: 1,
        size: 1,
        max: 1,
        status: 503,
        statusCode: 503,
      });
      expect(error.headers['Retry-After']).toMatch(/^\d+$/);
      expect(error.waitedMillis).toBeGreaterThanOrEqual(40);
      expect(error.holders).toHaveLength(1);
      expect(error.message + JSON.stringify(error)).not.toContain('s3cret');
      await held.release();
      await expectWhole(pool, ['batch']);
    });

    test('goes on while a connection is made, and the late connection serves the next', async () => {
      const pool = await driver.open({ ...shop, acquireTimeoutMillis: 150, connectMillis: 400 });
      const late = await rejection(pool.hold('batch'));
      expect(late).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', step: 'connecting' });
      expect(pool.stats('batch').gauges.inUse).toBe(1);
      await until(() => pool.stats('batch').gauges.inUse === 0);
      await pool.query('batch');
      expect(await pool.countConnections()).toBe(1);
    });

    test('that has passed leaves nothing behind', async () => {
      const pool = await openWarm(driver, { ...shop, acquireTimeoutMillis: 20 });
      const held = await pool.hold('batch');
      const before = pool.stats('batch').counters.timedOut;
      await Promise.all(Array.from({ length: 10 }, () => rejection(pool.query('batch'))));
      const { gauges, counters } = pool.stats('batch');
      expect(gauges).toMatchObject({ inUse: 1, waiting: 0 });
      expect(counters.timedOut - before).toBe(10);
      await held.release();
      await expectWhole(pool, ['batch']);
    });
  });

  describe(`${driver.name}: an abort`, () => {
    test('takes the caller out of the line', async () => {
      const pool = await driver.open(shop);
      const held = await pool.hold('batch');
      const abort = new AbortController();
      const call = rejection(pool.hold('batch', { signal: abort.signal }));
      await waiting(pool, 'batch', 1);
      const reason = new Error('the caller has gone');
      abort.abort(reason);
      // Some drivers reject with the reason itself.
      const error = await call;
      expect([error, error.cause]).toContain(reason);
      expect(pool.stats('batch')).toMatchObject({
        gauges: { waiting: 0 },
        counters: { aborted: 1 },
      });
      await held.release();
      await expectWhole(pool, ['batch']);
    });
  });

  describe(`${driver.name}: exactly once`, () => {
    const testStale = driver.seesStaleRelease ? test : test.skip;
    testStale('a stale release frees nothing of the next holder', async () => {
      const pool = await driver.open(shop);
      const first = await pool.hold('batch');
      await first.release();
      const second = await pool.hold('batch');
      await first.release().catch(() => undefined);
      expect(pool.stats('batch').gauges.inUse).toBe(1);
      const third = pool.query('batch');
      await waiting(pool, 'batch', 1);
      await second.release();
      await third;
      await expectWhole(pool, ['batch']);
    });

    test('a connection that the server ends gives its permit back', async () => {
      const pool = await driver.open(shop);
      const held = await pool.hold('batch');
      await held.kill();
      await held.release().catch(() => undefined);
      await expectWhole(pool, ['batch', 'order']);
    });

    test('every call is counted as one outcome', async () => {
      const pool = await openWarm(driver, { ...shop, maxWaiting: 2, acquireTimeoutMillis: 60 });
      const before = pool.stats('batch').counters;
      const held = await pool.hold('batch');
      await Promise.allSettled(Array.from({ length: 9 }, () => pool.query('batch')));
      await held.release();
      await pool.query('batch');
      const after = pool.stats('batch').counters;
      const names = ['requested', 'granted', 'refused', 'timedOut'] as const;
      expect(names.map((name) => [name, after[name] - before[name]])).toEqual([
        ['requested', 11],
        ['granted', 2],
        ['refused', 7],
        ['timedOut', 2],
      ]);
    });
  });

  describe(`${driver.name}: context`, () => {
    test('a caller served by the release of another keeps its own', async () => {
      const pool = await driver.open(shop);
      const request = new AsyncLocalStorage<string>();
      const held = await request.run('holder', () => pool.hold('batch'));
      const seen = request.run('waiter', async () => {
        await pool.query('batch');
        return request.getStore();
      });
      await waiting(pool, 'batch', 1);
      await request.run('holder', () => held.release());
      expect(await seen).toBe('waiter');
    });

    test('runIn decides where calls on the pool itself go', async () => {
      const pool = await driver.open({ ...shop, defaultPartition: 'order' });
      const held = await runIn('batch', () => pool.hold());
      expect(pool.stats('batch').gauges.inUse).toBe(1);
      await pool.query();
      expect(pool.stats('order').counters.granted).toBe(1);
      await held.release();
    });

    test('never is a partition that nobody has named', async () => {
      const pool = await driver.open(shop);
      expect(await rejection(pool.query())).toMatchObject({ code: 'ERR_NO_PARTITION' });
      expect(await rejection(runIn('ordr', () => pool.query()))).toMatchObject({
        code: 'ERR_UNKNOWN_PARTITION',
      });
    });
  });

  describe(`${driver.name}: the end`, () => {
    test('refuses those in line and waits for those who hold', async () => {
      const pool = await driver.open(shop);
      const held = await pool.hold('batch');
      const inLine = rejection(pool.query('batch'));
      await waiting(pool, 'batch', 1);
      let ended = false;
      const end = pool.end().then(() => (ended = true));
      expect(await inLine).toMatchObject({ code: 'ERR_PARTITION_CLOSED' });
      expect(ended).toBe(false);
      await held.release();
      await end;
      await rejection(pool.query('order'));
    });

    const testEnd = driver.endsPartitions ? test : test.skip;
    testEnd('of a partition is not that of the others', async () => {
      const pool = await driver.open(shop);
      await pool.query('batch');
      await pool.endPartition?.('batch');
      expect(await rejection(pool.query('batch'))).toMatchObject({ code: 'ERR_PARTITION_CLOSED' });
      await pool.query('order');
    });

    test('leaves no connection at the server', async () => {
      const pool = await driver.open(shop);
      await Promise.all([pool.query('order'), pool.query('order'), pool.query('batch')]);
      await pool.end();
      await until(async () => (await pool.countConnections()) === 0);
    });
  });
}
