import { describe, expect, test } from '@jest/globals';
import { explain, judge, median, quantile, ratioOf, tooNoisy } from '../../bench/statistics.ts';

describe('quantiles', () => {
  test('lie between neighbours and do not mind the order', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
    expect(quantile([7], 0.75)).toBe(7);
  });

  test('of nothing are no number', () => {
    expect(median([])).toBeNaN();
  });
});

describe('a ratio', () => {
  test('compares round with round, so that a slow minute cancels out', () => {
    expect(ratioOf([20, 200, 20], [10, 100, 10])).toEqual({ ratio: 2, spread: [2, 2], rounds: 3 });
  });

  test('leaves out rounds that one of the two does not have', () => {
    expect(ratioOf([20, undefined, 60], [10, 10, 20])?.rounds).toBe(2);
    expect(ratioOf([undefined, 5], [10, undefined])).toBeUndefined();
    expect(ratioOf([5], [0])).toBeUndefined();
  });

  test('carries the quartiles as its spread', () => {
    expect(ratioOf([1, 2, 3, 4, 5], [1, 1, 1, 1, 1])).toMatchObject({ ratio: 3, spread: [2, 4] });
  });
});

describe('a conclusion', () => {
  const measured = (low: number, ratio: number, high: number, rounds = 5) =>
    ({ ratio, spread: [low, high], rounds }) as const;

  test('is drawn when the whole spread is on one side of the goal', () => {
    expect(judge(measured(1.1, 1.2, 1.25), 1.3)).toBe('met');
    expect(judge(measured(1.4, 1.5, 1.6), 1.3)).toBe('missed');
    expect(judge(measured(1.2, 1.25, 1.4), 1.3)).toBe('undecided');
  });

  test('is not drawn from one round', () => {
    expect(judge(measured(1, 1, 1, 1), 1.3)).toBe('undecided');
    expect(tooNoisy(measured(1, 1, 1, 1))).toBe(true);
  });

  test('is refused when the spread is too wide', () => {
    expect(tooNoisy(measured(0.9, 1, 1.1))).toBe(false);
    expect(explain(measured(0.8, 1, 1.5), 1.2)).toBe('too noisy to say: spread 0.80–1.50');
    expect(explain(measured(0.8, 1, 1.5), undefined)).toBe('too noisy to say: spread 0.80–1.50');
  });

  test('that a goal was missed by far stands whatever the noise', () => {
    expect(explain(measured(3, 4, 6), 1.3)).toBe('spread 3.00–6.00, goal 1.3: missed');
  });

  test('names ratio, spread, goal and verdict', () => {
    expect(explain(measured(1.1, 1.2, 1.25), 1.3)).toBe('1.20 (1.10–1.25), goal 1.3: met');
    expect(explain(measured(1.1, 1.2, 1.35), 1.3)).toContain('too close to say');
    expect(explain(measured(1.1, 1.2, 1.25), undefined)).toBe('1.20 (1.10–1.25)');
  });
});
