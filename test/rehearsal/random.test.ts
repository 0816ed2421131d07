import { describe, expect, test } from '@jest/globals';
import { poissonTimes } from '../../rehearsal/arrivals.ts';
import { randomSeed, randomStream, seeds } from '../../rehearsal/random.ts';

const take = (count: number, next: () => number): number[] => Array.from({ length: count }, next);

describe('a stream of random numbers', () => {
  test('is that of mulberry32', () => {
    expect(take(3, randomStream(1))).toEqual([
      0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
    ]);
  });

  test('is the same for a seed and a place, and another for any other', () => {
    const numbers = (...place: number[]): number[] => take(5, randomStream(7, ...place));
    expect(numbers(0, 1)).toEqual(numbers(0, 1));
    const firsts = [numbers(0), numbers(1), numbers(0, 0), numbers(0, 1), numbers(1, 0)];
    expect(new Set(firsts.map(([first]) => first)).size).toBe(5);
  });

  test('fills the space between 0 and 1', () => {
    const numbers = take(100_000, randomStream(3));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, one) => sum + one, 0) / numbers.length).toBeCloseTo(0.5, 2);
  });

  test('has seeds of 32 bits', () => {
    for (const seed of take(100, randomSeed)) {
      expect(Number.isInteger(seed) && seed >= 0 && seed < seeds).toBe(true);
    }
  });
});

describe('random arrivals', () => {
  const window = (fromMillis: number, toMillis: number) => ({ fromMillis, toMillis });
  const long = [window(0, 1_000_000)];

  test('are the same for the same seed', () => {
    const times = (seed: number): number[] => [
      ...poissonTimes([window(0, 1_000)], 50, 0, randomStream(seed)),
    ];
    expect(times(5)).toEqual(times(5));
    expect(times(5)).not.toEqual(times(6));
  });

  test.each([1, 2, 3])('come at the rate, with gaps as independent callers have (%p)', (seed) => {
    const times = [...poissonTimes(long, 100, 0, randomStream(seed))];
    // 100,000 are expected, and a deviation of 316; four of them are one seed in 16,000.
    expect(Math.abs(times.length - 100_000)).toBeLessThan(4 * 316);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    // Of an exponential distribution: e^-1 of the gaps are longer than the mean.
    const longer = gaps.filter((gap) => gap > 10).length / gaps.length;
    expect(longer).toBeCloseTo(Math.exp(-1), 2);
  });

  test('stay inside their windows', () => {
    const windows = [window(0, 100), window(500, 600)];
    const times = [...poissonTimes(windows, 1_000, 10_000, randomStream(1))];
    const inside = (time: number): boolean =>
      (time >= 10_000 && time < 10_100) || (time >= 10_500 && time < 10_600);
    expect(times.filter((time) => !inside(time))).toEqual([]);
    expect(times.filter((time) => time > 10_400).length).toBeGreaterThan(50);
  });
});
