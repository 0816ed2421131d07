import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { atEndOfTurn, systemClock } from '../../src/clock.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  jest.useRealTimers();
});

describe('the time of a turn', () => {
  test('is one within a turn and goes on with the next', async () => {
    const first = systemClock.turn();
    expect(systemClock.turn()).toBe(first);
    await nextTurn();
    expect(systemClock.turn()).toBeGreaterThan(first);
  });

  test('does not stand still for ever after the fake timers of a test runner', async () => {
    await nextTurn();
    jest.useFakeTimers();
    systemClock.turn();
    jest.useRealTimers();
    await nextTurn();
    const now = systemClock.now();
    expect(systemClock.turn()).toBeGreaterThanOrEqual(now);
  });
});

describe('the end of a turn', () => {
  test('comes once for each who asked, after the promises of the turn', async () => {
    const log: string[] = [];
    atEndOfTurn(() => log.push('first'));
    atEndOfTurn(() => {
      log.push('second');
      atEndOfTurn(() => log.push('next turn'));
    });
    await Promise.resolve().then(() => log.push('promise'));
    await nextTurn();
    expect(log).toEqual(['promise', 'first', 'second']);
    await nextTurn();
    expect(log.at(-1)).toBe('next turn');
    await nextTurn();
    expect(log).toHaveLength(4);
  });

  test('comes also under the fake timers of a test runner', async () => {
    jest.useFakeTimers();
    const ended = new Promise<void>((resolve) => atEndOfTurn(resolve));
    jest.useRealTimers();
    await expect(ended).resolves.toBeUndefined();
  });
});
