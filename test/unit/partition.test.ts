import { getEventListeners } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { isConfigError, Partitioner, type PartitionOptions } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeDriver } from '../fakes/fake-driver.ts';

/** One partition whose only permit `holder` has. */
function full(options: Partial<PartitionOptions> = {}) {
  const clock = new FakeClock();
  const partitioner = new Partitioner(
    { partitions: { order: { size: 1, ...options } } },
    { clock },
  );
  const order = partitioner.partition('order');
  const driver = new FakeDriver();
  driver.request(order, 'holder');
  return { clock, partitioner, order, driver };
}

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'granted',
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('the line of a partition', () => {
  test('is served by priority, and first come first served among equals', () => {
    const { order, driver } = full();
    const priorities = { a: 0, b: 1, c: 0, d: 1, e: -1 };
    for (const [name, priority] of Object.entries(priorities)) {
      driver.request(order, name, { priority });
    }
    for (const name of ['holder', 'b', 'd', 'a', 'c', 'e']) driver.lease(name).release();
    expect(driver.log.join(' ')).toBe(
      'holder granted b granted d granted a granted c granted e granted',
    );
  });

  test('takes maxWaiting callers and refuses one more, whatever its priority', () => {
    const { order, driver } = full({ maxWaiting: 2 });
    for (const name of ['a', 'b', 'c']) driver.request(order, name, { priority: 9 });
    expect(driver.log).toEqual(['holder granted', 'c ERR_PARTITION_FULL']);
    driver.lease('holder').release();
    driver.request(order, 'd');
    expect(order.waiting).toBe(2);
  });

  test('is never formed with maxWaiting 0', () => {
    const { order, driver } = full({ maxWaiting: 0 });
    driver.request(order, 'a');
    driver.lease('holder').release();
    driver.request(order, 'b');
    expect(driver.log.slice(1)).toEqual(['a ERR_PARTITION_FULL', 'b granted']);
  });

  test('has room again as soon as a waiter aborts', () => {
    const { order, driver } = full({ maxWaiting: 1 });
    const stop = new AbortController();
    driver.request(order, 'a', { signal: stop.signal });
    stop.abort();
    driver.request(order, 'b');
    expect(driver.log.slice(1)).toEqual(['a ERR_ACQUIRE_ABORTED']);
    driver.lease('holder').release();
    expect(driver.log.at(-1)).toBe('b granted');
  });
});

describe('a call that would not wait', () => {
  test('is granted at once or refused at once', () => {
    const { clock, order, driver } = full();
    driver.request(order, 'a', { acquireTimeoutMillis: 0 });
    driver.lease('holder').release();
    driver.request(order, 'b', { acquireTimeoutMillis: 0 });
    expect(driver.log.slice(1)).toEqual(['a ERR_PARTITION_FULL', 'b granted']);
    expect(clock.pending).toBe(0);
  });

  test.each([
    ['its own', { acquireTimeoutMillis: 0 }, 2000],
    ['the partition’s', { acquireTimeoutMillis: 300 }, 300],
  ])('still has a deadline for the connect: %s', (_whose, options, millis) => {
    const { clock, order, driver } = full(options);
    driver.lease('holder').release();
    const wait = { granted: () => undefined };
    driver.request(order, 'slow', { acquireTimeoutMillis: 0 }, wait);
    clock.advance(millis - 1);
    expect(driver.log.at(-1)).toBe('slow granted');
    clock.advance(1);
    expect(driver.log.at(-1)).toBe('slow ERR_ACQUIRE_TIMEOUT');
  });
});

describe('a deadline', () => {
  test('may differ for one call, and each is kept', () => {
    const { clock, order, driver } = full({ acquireTimeoutMillis: 100 });
    driver.request(order, 'own');
    driver.request(order, 'long', { acquireTimeoutMillis: 500 });
    driver.request(order, 'short', { acquireTimeoutMillis: 20 });
    driver.request(order, 'same', { acquireTimeoutMillis: 100 });
    const seen = [19, 1, 79, 1, 399, 1].map((millis) => {
      clock.advance(millis);
      return driver.log.splice(0).filter((line) => !line.startsWith('holder'));
    });
    const timedOut = (...names: string[]): string[] =>
      names.map((name) => `${name} ERR_ACQUIRE_TIMEOUT`);
    expect(seen).toEqual([
      [],
      timedOut('short'),
      [],
      timedOut('own', 'same'),
      [],
      timedOut('long'),
    ]);
    expect(clock.pending).toBe(0);
  });

  test('that passed during a stall is told before the next in time is served', () => {
    const { clock, order, driver } = full();
    driver.request(order, 'late');
    clock.stall(1000);
    driver.request(order, 'in time');
    clock.stall(1000);
    driver.lease('holder').release();
    expect(driver.log.slice(1)).toEqual(['late ERR_ACQUIRE_TIMEOUT', 'in time granted']);
    clock.advance(5000);
    expect(driver.log).toHaveLength(3);
  });
});

describe('the signal of a call', () => {
  test('that was aborted before keeps it from being made', async () => {
    const { order, driver } = full();
    driver.lease('holder').release();
    const signal = AbortSignal.abort();
    expect(await codeOf(order.acquire({ signal }))).toBe('ERR_ACQUIRE_ABORTED');
    expect(order.inUse).toBe(0);
  });

  test('ends the wait, with its reason as the cause', async () => {
    const { order } = full();
    const stop = new AbortController();
    const wait = order.acquire({ signal: stop.signal }).catch((error: unknown) => error);
    stop.abort('closing time');
    expect(await wait).toMatchObject({ code: 'ERR_ACQUIRE_ABORTED', cause: 'closing time' });
    expect(order.waiting).toBe(0);
  });

  test('keeps `run` from starting when it aborts in the turn of the grant', async () => {
    const { order, driver } = full();
    const stop = new AbortController();
    let ran = false;
    const run = order.run(() => (ran = true), { signal: stop.signal });
    driver.lease('holder').release();
    stop.abort();
    expect(await codeOf(run)).toBe('ERR_ACQUIRE_ABORTED');
    expect([ran, order.inUse]).toEqual([false, 0]);
  });

  test('is listened to no longer than the call lasts', async () => {
    const { clock, order, driver } = full({ maxWaiting: 20_000, acquireTimeoutMillis: 50 });
    const { signal } = new AbortController();
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    driver.lease('holder').release();
    for (let n = 0; n < 10_000; n++) (await order.acquire({ signal })).release();
    expect(listeners()).toBe(0);
    driver.request(order, 'holder');
    const waits = Array.from({ length: 1000 }, async () => codeOf(order.acquire({ signal })));
    expect(listeners()).toBe(1);
    clock.advance(50);
    expect(new Set(await Promise.all(waits))).toEqual(new Set(['ERR_ACQUIRE_TIMEOUT']));
    expect([listeners(), clock.pending]).toEqual([0, 0]);
  });

  test('gives up all calls on it, in the order in which they came, and no other', async () => {
    const { order, driver } = full();
    const [stop, other] = [new AbortController(), new AbortController()];
    for (const name of ['a', 'b', 'c']) driver.request(order, name, { signal: stop.signal });
    driver.request(order, 'd', { signal: other.signal });
    driver.lease('holder').release();
    stop.abort();
    expect(driver.log.slice(1)).toEqual([
      'a granted',
      'b ERR_ACQUIRE_ABORTED',
      'c ERR_ACQUIRE_ABORTED',
    ]);
    expect(order.waiting).toBe(1);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(1);
  });

  test('does not reach a call that the first who is told has settled', () => {
    const { order, driver } = full();
    const stop = new AbortController();
    const options = { signal: stop.signal };
    driver.request(order, 'a', options, { rejected: () => driver.lease('holder').release() });
    driver.request(order, 'b', options);
    stop.abort();
    expect(driver.log.slice(1)).toEqual(['a ERR_ACQUIRE_ABORTED', 'b granted']);
    expect([order.inUse, order.waiting]).toEqual([1, 0]);
  });
});

describe('run', () => {
  test('returns what the function returns and passes the signal on', async () => {
    const { order, driver } = full();
    driver.lease('holder').release();
    const { signal } = new AbortController();
    expect(await order.run((given) => given === signal, { signal })).toBe(true);
    expect(await order.run((given) => given.aborted)).toBe(false);
    expect(order.inUse).toBe(0);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('mine'))],
    [
      'throws nothing at all',
      () => {
        throw undefined;
      },
    ],
  ])('gives the permit back when the function %s', async (_how, fn) => {
    const { order, driver } = full();
    driver.lease('holder').release();
    const end = await order.run(fn).then(
      () => 'returned',
      (error: unknown) => error,
    );
    expect(end === undefined || (end as Error).message === 'mine').toBe(true);
    expect(order.inUse).toBe(0);
  });
});

describe('tryAcquire', () => {
  test('never waits and never jumps the line', () => {
    const { order, driver } = full({ size: 2 });
    expect(order.tryAcquire()).toBeDefined();
    expect(order.tryAcquire()).toBeUndefined();
    driver.request(
      order,
      'waiting',
      {},
      {
        granted: () => {
          driver.log.push(order.tryAcquire() ? 'jumped' : 'did not jump');
        },
      },
    );
    driver.request(order, 'behind');
    driver.lease('holder').release();
    expect(driver.log.slice(1)).toEqual(['waiting granted', 'did not jump']);
  });

  test('tells who holds it like any other', () => {
    const { order, driver } = full();
    driver.lease('holder').release();
    order.tryAcquire({ label: 'cron' });
    expect(order.describeHolders()).toEqual([{ label: 'cron', heldMillis: 0 }]);
    expect([order.available, order.isFull]).toEqual([0, true]);
  });
});

describe('the options of a call', () => {
  test.each<[string, unknown, string[]]>([
    ['a wait of a minute', { acquireTimeoutMillis: 60_000 }, ['acquireTimeoutMillis']],
    ['no number', { acquireTimeoutMillis: 'soon' }, ['acquireTimeoutMillis']],
    ['a priority of NaN', { priority: NaN }, ['priority']],
    ['a controller for its signal', { signal: new AbortController() }, ['signal']],
    ['several', { acquireTimeoutMillis: -1, priority: '1' }, ['acquireTimeoutMillis', 'priority']],
  ])('are checked: %s', async (_what, options, paths) => {
    const { clock, order } = full();
    const error = await order.acquire(options as never).catch((thrown: unknown) => thrown);
    if (!isConfigError(error)) throw error;
    expect(error.faults.map(({ path }) => path)).toEqual(paths);
    expect([order.waiting, clock.pending, order.stats().counters.requested]).toEqual([0, 0, 1]);
  });
});
