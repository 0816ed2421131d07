import { describe, expect, test } from '@jest/globals';
import { Partitioner } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeDriver } from '../fakes/fake-driver.ts';

describe('a caller that was told its time is up and calls again at once', () => {
  test('does not delay the deadline of those who came before it', () => {
    const clock = new FakeClock();
    const { driver, order } = full({ order: 1 }, clock);
    driver.request(order, 'first', {}, { rejected: () => driver.request(order, 'again') });
    clock.advance(1000);
    driver.request(order, 'second');
    clock.advance(1000);
    clock.advance(999);
    expect(driver.log).toEqual(['holder granted', 'first ERR_ACQUIRE_TIMEOUT']);
    clock.advance(1);
    expect(driver.log.at(-1)).toBe('second ERR_ACQUIRE_TIMEOUT');
    clock.advance(1000);
    expect(driver.log.at(-1)).toBe('again ERR_ACQUIRE_TIMEOUT');
    expect(clock.pending).toBe(0);
  });

  test('may take the permit that was coming to its line, and nobody gets it twice', () => {
    const clock = new FakeClock();
    const partitioner = new Partitioner(
      { max: 1, partitions: { a: { size: 0, max: 1 }, b: { size: 0, max: 1 } } },
      { clock },
    );
    const [a, b] = [partitioner.partition('a'), partitioner.partition('b')];
    const driver = new FakeDriver();
    driver.request(a, 'holder');
    driver.request(b, 'late', {}, { rejected: () => driver.request(a, 'again') });
    clock.stall(1500);
    driver.request(b, 'in time');
    clock.stall(600);
    driver.lease('holder').release();
    expect(driver.log).toEqual(['holder granted', 'late ERR_ACQUIRE_TIMEOUT', 'again granted']);
    expect(partitioner.inUse).toBe(1);
    driver.lease('again').release();
    expect(driver.log.at(-1)).toBe('in time granted');
  });

  test('may release the very lease that was being handed over, which is then an error', () => {
    const clock = new FakeClock();
    const { driver, order } = full({ order: 1 }, clock);
    const holder = driver.lease('holder');
    driver.request(order, 'late', {}, { rejected: () => holder.release() });
    clock.stall(1500);
    driver.request(order, 'in time');
    driver.request(order, 'too');
    clock.stall(600);
    expect(() => holder.handOver()).toThrow(/released before/);
    expect(driver.log.slice(1)).toEqual(['late ERR_ACQUIRE_TIMEOUT', 'in time granted']);
    expect([order.inUse, order.waiting]).toEqual([1, 1]);
  });

  test('and thereby has a better claim gets the permit before its line goes on', () => {
    const clock = new FakeClock();
    const partitioner = new Partitioner(
      { max: 2, partitions: { batch: { size: 0, max: 2 } } },
      { clock },
    );
    const batch = partitioner.partition('batch');
    const driver = new FakeDriver();
    driver.request(batch, 'one');
    driver.request(batch, 'two');
    const order = partitioner.add('order', 1);
    driver.request(batch, 'late', {}, { rejected: () => driver.request(order, 'claim') });
    clock.stall(1500);
    driver.request(batch, 'in time');
    clock.stall(600);
    driver.lease('one').release();
    expect(driver.log.slice(2)).toEqual(['late ERR_ACQUIRE_TIMEOUT', 'claim granted']);
  });

  test('while a connection is handed over leaves the permit with whoever holds it', () => {
    const clock = new FakeClock();
    const partitioner = new Partitioner(
      { max: 2, partitions: { batch: { size: 0, max: 2 } } },
      { clock },
    );
    const batch = partitioner.partition('batch');
    const driver = new FakeDriver();
    driver.request(batch, 'one');
    driver.request(batch, 'two');
    const order = partitioner.add('order', 1);
    driver.request(batch, 'late', {}, { rejected: () => driver.request(order, 'claim') });
    clock.stall(1500);
    driver.request(batch, 'in time');
    clock.stall(600);
    expect(driver.lease('one').handOver()).toBe(false);
    expect(driver.lease('one').released).toBe(false);
    expect(partitioner.inUse).toBe(2);
    driver.lease('one').release();
    expect(driver.log.slice(2)).toEqual(['late ERR_ACQUIRE_TIMEOUT', 'claim granted']);
  });
});

describe('a grant that finds its caller gone', () => {
  test('gives the permit back when the caller aborted while others were told', async () => {
    const { partitioner, order, driver } = full({ order: 3 }, new FakeClock());
    const stop = new AbortController();
    let wait: Promise<unknown> | undefined;
    driver.request(
      order,
      'outer',
      {},
      {
        granted: (lease) => {
          wait = order.acquire({ signal: stop.signal }).catch((error: unknown) => error);
          stop.abort();
          lease.deliver();
        },
      },
    );
    expect(await wait).toMatchObject({ code: 'ERR_ACQUIRE_ABORTED' });
    expect(partitioner.inUse).toBe(2);
    expect(order.stats().counters).toMatchObject({ granted: 2, aborted: 1 });
  });

  test('gives the permit back when the deadline passed while others were told', async () => {
    const clock = new FakeClock();
    const { partitioner, order, driver } = full({ order: 3 }, clock);
    let wait: Promise<unknown> | undefined;
    driver.request(
      order,
      'slow',
      {},
      {
        granted: (lease) => {
          lease.deliver();
          wait = order.acquire({ acquireTimeoutMillis: 5 }).catch((error: unknown) => error);
          clock.stall(5);
        },
      },
    );
    expect(await wait).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', waitedMillis: 5 });
    expect(partitioner.inUse).toBe(2);
  });
});

/** A pool of which `holder` has one permit of `order`. */
function full(partitions: { order: number }, clock: FakeClock) {
  const partitioner = new Partitioner({ partitions }, { clock });
  const order = partitioner.partition('order');
  const driver = new FakeDriver();
  driver.request(order, 'holder');
  return { partitioner, order, driver };
}
