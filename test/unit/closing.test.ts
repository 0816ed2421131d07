import { describe, expect, test } from '@jest/globals';
import { Partitioner } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeDriver } from '../fakes/fake-driver.ts';

/** `holder` has the only permit of `order`, `a` and `b` wait; what ends is logged. */
function busy() {
  const clock = new FakeClock();
  const partitioner = new Partitioner({ partitions: { order: 1, batch: 1 } }, { clock });
  const order = partitioner.partition('order');
  const driver = new FakeDriver();
  for (const name of ['holder', 'a', 'b']) driver.request(order, name);
  driver.log.length = 0;
  const logEnd = (end: Promise<void>): void => void end.then(() => driver.log.push('ended'));
  return { clock, partitioner, order, driver, logEnd };
}

/** Lets every promise settle. */
const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('closing a partition', () => {
  test('refuses those who wait and those who come, and ends with the last lease', async () => {
    const { clock, order, driver, logEnd } = busy();
    logEnd(order.close());
    driver.request(order, 'c');
    expect(order.tryAcquire()).toBeUndefined();
    await turn();
    const closed = ['a', 'b', 'c'].map((name) => `${name} ERR_PARTITION_CLOSED`);
    expect(driver.log).toEqual(closed);
    driver.lease('holder').release();
    await turn();
    expect(driver.log.slice(3)).toEqual(['ended']);
    expect([clock.timers, order.available, order.closed]).toEqual([0, 0, true]);
  });

  test('leaves the others as they are', async () => {
    const { partitioner, order, driver } = busy();
    void order.close();
    driver.request(partitioner.partition('batch'), 'job');
    expect(driver.log.at(-1)).toBe('job granted');
  });

  test('waits for a connection that is being opened for a caller who may be gone', async () => {
    const { clock, partitioner, driver, logEnd } = busy();
    const batch = partitioner.partition('batch');
    driver.request(batch, 'slow', {}, { granted: () => undefined });
    logEnd(batch.close());
    clock.advance(2000);
    await turn();
    expect(driver.log).toContain('slow ERR_ACQUIRE_TIMEOUT');
    expect(driver.log).not.toContain('ended');
    driver.lease('slow').release();
    await turn();
    expect(driver.log.at(-1)).toBe('ended');
  });

  test('that is idle ends at once, and again, and may be awaited many times', async () => {
    const { partitioner } = busy();
    const batch = partitioner.partition('batch');
    await Promise.all([batch.close(), batch.drain(), batch.close()]);
    await batch.close();
  });
});

describe('draining a partition', () => {
  test('serves those who wait, refuses those who come, and ends with the last lease', async () => {
    const { order, driver, logEnd } = busy();
    logEnd(order.drain());
    driver.request(order, 'c');
    for (const name of ['holder', 'a', 'b']) {
      driver.lease(name).release();
      await turn();
    }
    expect(driver.log).toEqual(['c ERR_PARTITION_CLOSED', 'a granted', 'b granted', 'ended']);
  });

  test('ends also when the last who waited gives up', async () => {
    const { clock, order, driver, logEnd } = busy();
    logEnd(order.drain());
    driver.lease('holder').release();
    driver.lease('a').release();
    driver.request(order, 'c');
    driver.lease('b').release();
    clock.advance(2000);
    await turn();
    expect(driver.log.at(-1)).toBe('ended');
  });

  test('turns into closing when that is asked for meanwhile', async () => {
    const { order, driver, logEnd } = busy();
    logEnd(order.drain());
    void order.close();
    void order.drain();
    driver.lease('holder').release();
    await turn();
    expect(driver.log).toEqual(['a ERR_PARTITION_CLOSED', 'b ERR_PARTITION_CLOSED', 'ended']);
  });
});

describe('closing a partitioner', () => {
  test('closes every partition and ends with the last lease of all', async () => {
    const { partitioner, order, driver, logEnd } = busy();
    const job = partitioner.tryAcquire('batch');
    logEnd(partitioner[Symbol.asyncDispose]());
    driver.lease('holder').release();
    await turn();
    expect([order.closed, driver.log.includes('ended')]).toEqual([true, false]);
    job?.release();
    await turn();
    expect(driver.log.at(-1)).toBe('ended');
  });

  test('by draining serves every line first', async () => {
    const { partitioner, driver, logEnd } = busy();
    logEnd(partitioner.drain());
    for (const name of ['holder', 'a', 'b']) driver.lease(name).release();
    await turn();
    expect(driver.log).toEqual(['a granted', 'b granted', 'ended']);
  });
});
