import { describe, expect, test } from '@jest/globals';
import { monthEnd, monthEndPartitions } from '../../rehearsal/month-end.ts';
import {
  phaseAt,
  scalePartitions,
  scaleScenario,
  totalMillis,
  windowsOf,
  type ArrivalWorkload,
} from '../../rehearsal/scenario.ts';

const orders = (scale: number): ArrivalWorkload =>
  scaleScenario(monthEnd, scale).workloads[0] as ArrivalWorkload;

describe('scaling a scenario', () => {
  test('divides durations and deadlines, multiplies rates', () => {
    expect(orders(0.1)).toMatchObject({
      ratePerSecond: 400,
      holdMillis: 15,
      answerWithinMillis: 100,
    });
    expect(scaleScenario(monthEnd, 0.1).sharedAcquireTimeoutMillis).toBe(6_000);
    expect(totalMillis(scaleScenario(monthEnd, 0.1))).toBe(16_000);
  });

  test.each([1, 0.5, 0.1, 0.05])('needs the same connections at scale %p', (scale) => {
    const { ratePerSecond, holdMillis } = orders(scale);
    expect((ratePerSecond * holdMillis) / 1_000).toBeCloseTo(6);
  });

  test('leaves limits alone: they are shares and ratios', () => {
    expect(scaleScenario(monthEnd, 0.1).limits).toEqual(monthEnd.limits);
  });

  test('scales acquire timeouts of partitions to whole milliseconds and keeps 0 at 0', () => {
    expect(scalePartitions({ ...monthEndPartitions, odd: { size: 1, max: 3 } }, 0.025)).toEqual({
      order: { size: 8, acquireTimeoutMillis: 25 },
      search: { size: 8, acquireTimeoutMillis: 25 },
      batch: { size: 4, acquireTimeoutMillis: 0 },
      odd: { size: 1, max: 3 },
    });
    expect(scalePartitions({ a: { size: 1, acquireTimeoutMillis: 3 } }, 0.1)).toEqual({
      a: { size: 1, acquireTimeoutMillis: 1 },
    });
  });
});

describe('month-end', () => {
  test('orders and searches run all the time, the batch for 120 s in the middle', () => {
    expect(windowsOf(monthEnd, 'order')).toEqual([{ fromMillis: 0, toMillis: 160_000 }]);
    expect(windowsOf(monthEnd, 'batch')).toEqual([{ fromMillis: 10_000, toMillis: 130_000 }]);
    expect(windowsOf(monthEnd, 'nobody')).toEqual([]);
  });

  test('goes from calm over month end to recovery', () => {
    const at = [0, 9_999, 10_000, 129_999, 130_000, 1e9];
    expect(at.map((millis) => phaseAt(monthEnd, millis)?.name)).toEqual([
      'calm',
      'calm',
      'month end',
      'month end',
      'recovery',
      'recovery',
    ]);
  });
});
