import { describe, expect, test } from '@jest/globals';
import { Partitioner } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeDriver } from '../fakes/fake-driver.ts';

const ignore = (): undefined => undefined;

function pool(options: { size: number; maxWaiting?: number }) {
  const clock = new FakeClock();
  const partitioner = new Partitioner({ partitions: { order: options } }, { clock });
  return { clock, partitioner, order: partitioner.partition('order'), driver: new FakeDriver() };
}

describe('the counters', () => {
  test('add up: every request is answered, or waits, or is being connected', async () => {
    const { clock, order, driver } = pool({ size: 2, maxWaiting: 3 });
    const stop = new AbortController();
    driver.request(order, 'connecting', {}, { granted: ignore });
    driver.request(order, 'failing', {}, { granted: (lease) => lease.fail(new Error('refused')) });
    driver.request(order, 'granted');
    order.tryAcquire();
    driver.request(order, 'timed out', { acquireTimeoutMillis: 5 });
    driver.request(order, 'aborted', { signal: stop.signal });
    driver.request(order, 'waiting');
    driver.request(order, 'refused');
    stop.abort();
    clock.advance(5);
    const open = order.stats();
    expect(open.counters).toMatchObject({
      requested: 8,
      granted: 1,
      failed: 1,
      refused: 2,
      timedOut: 1,
      aborted: 1,
      closed: 0,
    });
    expect(open.gauges).toMatchObject({ inUse: 2, waiting: 1, available: 0 });
    void order.close();
    await order.acquire().catch(ignore);
    expect(order.stats().counters).toMatchObject({ requested: 9, closed: 2 });
  });

  test('tell aborts apart by the name of their reason, as long as there are few', async () => {
    const { order } = pool({ size: 1 });
    const abort = async (reason?: unknown): Promise<unknown> =>
      order.acquire({ signal: AbortSignal.abort(reason) }).catch(ignore);
    await abort();
    await abort(new RangeError('x'));
    await abort(new DOMException('late', 'TimeoutError'));
    await abort('shutting down');
    await abort({ secret: 1 });
    expect(order.stats().counters.abortedByReason).toEqual({
      AbortError: 1,
      RangeError: 1,
      TimeoutError: 1,
      'shutting down': 1,
      object: 1,
    });
    for (let n = 0; n < 100; n++) await abort(`reason ${n}`);
    await abort('__proto__');
    const { aborted, abortedByReason } = order.stats().counters;
    expect(Object.keys(abortedByReason)).toHaveLength(21);
    expect(Object.values(abortedByReason).reduce((sum, count) => sum + count, 0)).toBe(aborted);
    expect(abortedByReason['other']).toBe(86);
  });
});

describe('the percentiles', () => {
  test('are those of the waits and of the holds', async () => {
    const { clock, order } = pool({ size: 1 });
    expect(order.stats().waitMillis).toEqual({ count: 0, p50: 0, p95: 0, p99: 0, max: 0 });
    let lease = await order.acquire();
    for (let n = 1; n <= 100; n++) {
      const next = order.acquire();
      clock.advance(n);
      lease.release();
      lease = await next;
    }
    lease.release();
    const { waitMillis, holdMillis } = order.stats();
    expect([waitMillis.count, holdMillis.count]).toEqual([101, 101]);
    for (const { p50, p95, p99, max } of [waitMillis, holdMillis]) {
      expect(Math.abs(p50 - 50)).toBeLessThanOrEqual(1);
      expect(Math.abs(p95 - 95)).toBeLessThanOrEqual(1);
      expect(Math.abs(p99 - 99)).toBeLessThanOrEqual(1);
      expect(Math.abs(max - 100)).toBeLessThanOrEqual(1);
    }
  });

  test('hold of a lease counts the connect, and the wait of a delivery too', () => {
    const { clock, order, driver } = pool({ size: 1 });
    driver.request(order, 'slow', {}, { granted: ignore });
    clock.advance(30);
    driver.lease('slow').deliver();
    clock.advance(10);
    driver.lease('slow').release();
    expect(Math.round(order.stats().waitMillis.max)).toBe(30);
    expect(Math.round(order.stats().holdMillis.max)).toBe(40);
  });

  test('of an absurd hold end at an hour', () => {
    const { clock, order } = pool({ size: 1 });
    const lease = order.tryAcquire();
    clock.stall(100 * 3_600_000);
    lease?.release();
    expect(order.stats().holdMillis.max / 3_600_000).toBeCloseTo(1, 1);
  });
});

describe('a snapshot', () => {
  test('tells how long the first in line has waited', () => {
    const { clock, order, driver } = pool({ size: 1 });
    for (const name of ['holder', 'first', 'second']) {
      driver.request(order, name);
      clock.advance(10);
    }
    expect(order.stats().gauges.oldestWaitMillis).toBe(20);
  });

  test('is frozen in all its parts and does not change', async () => {
    const { partitioner, order } = pool({ size: 1 });
    const before = partitioner.stats();
    const lease = await order.acquire();
    const parts = [before, before.partitions, ...Object.values(before.partitions)].flatMap(
      (part) => [part, ...Object.values(part as object).filter((one) => typeof one === 'object')],
    );
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
    expect(before).toMatchObject({ max: 1, inUse: 0, waiting: 0 });
    expect(partitioner.stats().inUse).toBe(1);
    lease.release();
  });
});
