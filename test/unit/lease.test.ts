import { request } from '../fakes/receiver.ts';
import { describe, expect, test } from '@jest/globals';
import { Partitioner } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeDriver } from '../fakes/fake-driver.ts';

const code = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

/** Two callers hold `order`; nobody delivers by itself. */
function connecting() {
  const clock = new FakeClock();
  const partitioner = new Partitioner(
    { max: 4, partitions: { order: 2, batch: { size: 0, max: 3 } } },
    { clock },
  );
  const [order, batch] = [partitioner.partition('order'), partitioner.partition('batch')];
  const driver = new FakeDriver();
  const wait = { granted: () => undefined };
  driver.request(order, 'a', {}, wait);
  driver.request(order, 'b', {}, wait);
  return { clock, partitioner, order, batch, driver, wait };
}

describe('a lease', () => {
  test('comes back once: the second release throws and frees nothing', () => {
    const { partitioner, order, driver, wait } = connecting();
    driver.lease('a').deliver();
    driver.lease('a').release();
    driver.request(order, 'next', {}, wait);
    expect(code(() => driver.lease('a').release())).toBe('ERR_LEASE_RELEASED');
    expect(code(() => driver.lease('a').handOver())).toBe('ERR_LEASE_RELEASED');
    expect(code(() => driver.lease('a').fail(new Error('late')))).toBe('ERR_LEASE_RELEASED');
    expect([partitioner.inUse, order.inUse]).toEqual([2, 2]);
    expect(() => driver.lease('a').release()).toThrow(
      "this lease of partition 'order' was released before; release each lease once",
    );
  });

  test('is given back at the end of its scope, unless that was done', async () => {
    const partitioner = new Partitioner({ partitions: { order: 1 } });
    const first = await partitioner.acquire('order');
    first[Symbol.dispose]();
    expect(partitioner.inUse).toBe(0);
    first[Symbol.dispose]();
    const second = await partitioner.acquire('order');
    first[Symbol.dispose]();
    expect(partitioner.inUse).toBe(1);
    second.release();
  });
});

describe('a lease whose connection is being opened', () => {
  test('is delivered to its caller once', () => {
    const { driver } = connecting();
    expect([driver.lease('a').deliver(), driver.lease('a').deliver()]).toEqual([true, false]);
  });

  test('is not delivered to a caller who timed out or aborted, and keeps its permit', () => {
    const { clock, order, driver, wait } = connecting();
    const stop = new AbortController();
    driver.lease('a').release();
    driver.request(order, 'aborted', { signal: stop.signal }, wait);
    stop.abort();
    clock.advance(2000);
    expect(driver.log.slice(2)).toEqual([
      'aborted granted',
      'aborted ERR_ACQUIRE_ABORTED',
      'a ERR_ACQUIRE_TIMEOUT',
      'b ERR_ACQUIRE_TIMEOUT',
    ]);
    expect([driver.lease('aborted').deliver(), driver.lease('b').deliver()]).toEqual([
      false,
      false,
    ]);
    expect(order.inUse).toBe(2);
    driver.lease('b').release();
    expect(order.inUse).toBe(1);
  });

  test('is not delivered after the deadline though no timer has fired yet', () => {
    const { clock, driver, order } = connecting();
    clock.stall(2000);
    expect(driver.lease('a').deliver()).toBe(false);
    expect(driver.log.at(-1)).toBe('a ERR_ACQUIRE_TIMEOUT');
    expect(order.inUse).toBe(2);
  });

  test('says in its timeout that the connect was slow, not the line', async () => {
    const { clock, order, driver } = connecting();
    let error: unknown;
    driver.lease('a').release();
    request(
      order,
      { acquireTimeoutMillis: 0 },
      { granted: () => undefined, rejected: (e) => (error = e) },
    );
    clock.advance(2000);
    expect(error).toMatchObject({
      code: 'ERR_ACQUIRE_TIMEOUT',
      step: 'connecting',
      setting: undefined,
    });
  });

  test('that fails frees its permit for the next, and tells the caller the driver’s own error', () => {
    const { order, driver } = connecting();
    driver.request(order, 'next');
    driver.lease('a').fail(new Error('password authentication failed'));
    expect(driver.log.slice(2).toSorted()).toEqual([
      'a password authentication failed',
      'next granted',
    ]);
    expect(order.inUse).toBe(2);
  });

  test('that fails for a caller who is gone frees its permit and tells nobody', () => {
    const { clock, order, driver } = connecting();
    clock.advance(2000);
    const told = driver.log.length;
    driver.lease('a').fail(new Error('late'));
    expect([order.inUse, driver.log.length]).toEqual([1, told]);
  });
});

describe('a hand-over', () => {
  test('takes permit and connection to the next in the same line', () => {
    const { order, driver, wait } = connecting();
    driver.request(order, 'c', {}, wait);
    driver.request(order, 'd', { priority: 1 }, wait);
    const connection = { pid: 7 };
    driver.lease('a').connection = connection;
    expect(driver.lease('a').handOver()).toBe(true);
    expect(driver.log.at(-1)).toBe('d granted');
    expect(driver.lease('d').connection).toBe(connection);
    expect([driver.lease('a').released, order.inUse, order.waiting]).toEqual([true, 2, 1]);
  });

  test('is refused when nobody waits; the lease is then still held', () => {
    const { order, driver } = connecting();
    expect(driver.lease('a').handOver()).toBe(false);
    expect([driver.lease('a').released, order.inUse]).toEqual([false, 2]);
  });

  test('is refused when all who wait are late, who are told so', () => {
    const { clock, order, driver } = connecting();
    driver.request(order, 'late', { acquireTimeoutMillis: 5 });
    clock.stall(6);
    expect(driver.lease('a').handOver()).toBe(false);
    expect(driver.log.at(-1)).toBe('late ERR_ACQUIRE_TIMEOUT');
  });

  test('is refused when another partition has a better claim on the permit', () => {
    const { partitioner, batch, driver } = connecting();
    for (const name of ['x', 'y', 'z']) driver.request(batch, name);
    const late = partitioner.add('late', 2);
    driver.request(late, 'claim');
    expect(driver.log.slice(2)).toEqual(['x granted', 'y granted']);
    expect(driver.lease('x').handOver()).toBe(false);
    driver.lease('x').release();
    expect(driver.log.at(-1)).toBe('claim granted');
  });
});
