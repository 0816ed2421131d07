import { describe, expect, test } from '@jest/globals';
import { Line } from '../../src/line.ts';
import type { Waiter } from '../../src/waiter.ts';

const waiter = (name: string, priority = 0): Waiter =>
  ({ name, priority, lineBefore: undefined, lineAfter: undefined }) as unknown as Waiter;

const names = (line: Line): string[] =>
  Array.from(line, (one) => (one as unknown as { name: string }).name);

/** Fills a line with names and priorities: `{ a: 0, b: 1 }`. */
function lineOf(priorities: Record<string, number>) {
  const line = new Line();
  const waiters = Object.entries(priorities).map(([name, priority]) => waiter(name, priority));
  for (const one of waiters) line.push(one);
  return { line, all: waiters };
}

describe('a line', () => {
  test('keeps the order in which waiters came', () => {
    const { line } = lineOf({ a: 0, b: 0, c: 0 });
    expect(names(line)).toEqual(['a', 'b', 'c']);
    expect(line.length).toBe(3);
  });

  test('puts higher priorities first, and equals in the order in which they came', () => {
    const { line } = lineOf({ a: 0, b: 5, c: -1, d: 5, e: 0, f: 0.5 });
    expect(names(line)).toEqual(['b', 'd', 'f', 'a', 'e', 'c']);
  });

  test('lets anybody leave from the middle, the front and the end', () => {
    const { line, all } = lineOf({ a: 0, b: 0, c: 0, d: 0, e: 0 });
    for (const index of [2, 0, 4]) line.remove(all[index] as Waiter);
    expect(names(line)).toEqual(['b', 'd']);
    expect(names(line)[0]).toBe('b');
    for (const index of [1, 3]) line.remove(all[index] as Waiter);
    expect([line.length, line.first]).toEqual([0, undefined]);
  });

  test('serves levels that come and go in any order', () => {
    const orders = [
      [3, 1, 2],
      [1, 2, 3],
      [2, 3, 1],
      [3, 3, 1],
    ];
    for (const priorities of orders) {
      const line = new Line();
      for (let round = 0; round < 3; round++) {
        const waiters = priorities.map((priority, n) => waiter(`${priority}.${n}`, priority));
        for (const one of waiters) line.push(one);
        const expected = waiters.toSorted((a, b) => b.priority - a.priority);
        expect([...line]).toEqual(expected);
        for (const one of round === 1 ? waiters : expected) line.remove(one);
        expect(line.length).toBe(0);
      }
      const next = waiter('next', 7);
      line.push(next);
      expect(line.first).toBe(next);
    }
  });

  test('has no use for a level that is empty', () => {
    const { line, all } = lineOf({ high: 9, low: 1 });
    line.remove(all[0] as Waiter);
    expect(names(line)).toEqual(['low']);
    line.push(waiter('middle', 5));
    expect(names(line)).toEqual(['middle', 'low']);
  });

  test('cuts the links of whoever left, so that nobody is kept alive by it', () => {
    const { line, all } = lineOf({ a: 0, b: 0, c: 0 });
    line.remove(all[1] as Waiter);
    expect(all[1]).toMatchObject({ lineBefore: undefined, lineAfter: undefined });
  });

  test('takes -0 and 0 for the same priority', () => {
    const { line } = lineOf({ a: 0, b: -0, c: 0 });
    expect(names(line)).toEqual(['a', 'b', 'c']);
  });
});
