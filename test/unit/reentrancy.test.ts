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
});

/** A pool of which `holder` has one permit of `order`. */
function full(partitions: { order: number }, clock: FakeClock) {
  const partitioner = new Partitioner({ partitions }, { clock });
  const order = partitioner.partition('order');
  const driver = new FakeDriver();
  driver.request(order, 'holder');
  return { partitioner, order, driver };
}
