import { describe, expect, test } from '@jest/globals';
import { Partitioner } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';

describe('a partitioner', () => {
  test('serves its line first come first served and hands the permit over', async () => {
    const clock = new FakeClock();
    const partitioner = new Partitioner({ partitions: { stt: 1, llm: 1 } }, { clock });
    const log: string[] = [];
    const first = await partitioner.acquire('stt');
    const waits = ['a', 'b', 'c'].map(async (name) => {
      const lease = await partitioner.acquire('stt');
      log.push(`${name} in`);
      await Promise.resolve();
      log.push(`${name} out`);
      lease.release();
    });
    first.release();
    expect(partitioner.inUse).toBe(1);
    await Promise.all(waits);
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
    expect(partitioner.inUse).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('tells a waiter no at its deadline and says what stood in the way', async () => {
    const clock = new FakeClock();
    const partitioner = new Partitioner({ partitions: { order: 1 } }, { clock });
    await partitioner.acquire('order', { label: 'report' });
    clock.advance(100);
    const wait = partitioner.acquire('order').catch((error: unknown) => error);
    await Promise.resolve();
    clock.advance(1999);
    expect(partitioner.partition('order').waiting).toBe(1);
    clock.advance(1);
    expect(await wait).toMatchObject({
      code: 'ERR_ACQUIRE_TIMEOUT',
      partition: 'order',
      step: 'waiting',
      waitedMillis: 2000,
      holders: [{ label: 'report', heldMillis: 2100 }],
      message:
        "timeout exceeded when trying to acquire: partition 'order' waited 2000 ms, in use 1 of 1, " +
        "waiting 1; longest held 2100 ms by 'report'; would have been admitted by more than " +
        'partitions.order.size = 1',
    });
  });
});
