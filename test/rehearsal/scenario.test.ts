import { describe, expect, test } from '@jest/globals';
import { leakyClient } from '../../scenarios/leaky-client.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { slowSearch } from '../../scenarios/slow-search.ts';
import { thunderingRetry } from '../../scenarios/thundering-retry.ts';
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

  test('scales what comes again, and the holds of a phase, and no share', () => {
    const scaled = scaleScenario(thunderingRetry, 0.1);
    expect(scaled.partitions['campaign']).toEqual({
      size: 6,
      acquireTimeoutMillis: 50,
      maxWaiting: 20,
    });
    const late = { ...thunderingRetry.workloads[2], retry: { afterMillis: 50, times: 2 } };
    const workloads = [late as ArrivalWorkload];
    expect(scaleScenario({ ...monthEnd, workloads }, 0.1).workloads[0]).toMatchObject({
      retry: { afterMillis: 5, times: 2 },
    });
    expect(scaleScenario(slowSearch, 0.1).phases[1]).toMatchObject({
      durationMillis: 5_000,
      holdMillis: { search: 200 },
    });
    const leaky = scaleScenario(leakyClient, 0.1).workloads[2];
    expect(leaky).toMatchObject({ holdMillis: 100, leak: { afterReports: 3 } });
  });

  test('scales acquire timeouts of partitions to whole milliseconds and keeps 0 at 0', () => {
    expect(scalePartitions({ ...monthEnd.partitions, odd: { size: 1, max: 3 } }, 0.025)).toEqual({
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
