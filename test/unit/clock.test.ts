import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '../../src/clock.ts';

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
