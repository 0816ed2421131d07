import { describe, expect, test } from '@jest/globals';
import { percentiles } from '../../rehearsal/percentiles.ts';
import { Tally } from '../../rehearsal/tally.ts';

describe('percentiles', () => {
  test('are measurements that really occurred, by nearest rank', () => {
    const measured = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentiles(measured)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100 });
    expect(percentiles([7])).toEqual({ p50: 7, p95: 7, p99: 7, max: 7 });
  });

  test('sort by size and not as text', () => {
    expect(percentiles([9, 10, 100]).max).toBe(100);
  });

  test('of nothing are 0', () => {
    expect(percentiles([])).toEqual({ p50: 0, p95: 0, p99: 0, max: 0 });
  });
});

describe('a tally', () => {
  test('counts every offered request in exactly one place', () => {
    const tally = new Tally(100);
    for (let i = 0; i < 6; i++) tally.offer();
    tally.begin();
    tally.serve(100);
    tally.begin();
    tally.serve(101);
    tally.lose('refused', new Error('full'), false);
    tally.lose('timedOut', new Error('late'), false);
    tally.begin();
    tally.lose('failed', new Error('broken'), true);
    expect(tally.progress()).toEqual({
      offered: 6,
      served: 2,
      servedInTime: 1,
      refused: 1,
      timedOut: 1,
      failed: 1,
      waiting: 1,
      inUse: 0,
    });
    expect(tally.result()).toEqual({
      offered: 6,
      served: 2,
      servedInTime: 1,
      refused: 1,
      timedOut: 1,
      failed: 1,
      answerWithinMillis: 100,
      latencyMillis: { p50: 100, p95: 101, p99: 101, max: 101 },
      firstFailure: 'broken',
    });
  });

  test('without a deadline everything served is in time', () => {
    const tally = new Tally();
    tally.offer();
    tally.begin();
    tally.serve(1e9);
    expect(tally.result()).toMatchObject({ served: 1, servedInTime: 1 });
    expect(tally.result()).not.toHaveProperty('answerWithinMillis');
  });
});
