import { expect, test } from '@jest/globals';
import { runArrivals, steadyTimes } from '../../rehearsal/arrivals.ts';
import { FakeClock } from './fake-clock.ts';

const never = new AbortController().signal;
const window = (
  fromMillis: number,
  toMillis: number,
): { fromMillis: number; toMillis: number } => ({
  fromMillis,
  toMillis,
});

test('steady arrivals are evenly spaced and as many as the rate says', () => {
  expect([...steadyTimes([window(0, 100)], 50, 1_000)]).toEqual([
    1_000, 1_020, 1_040, 1_060, 1_080,
  ]);
  expect([...steadyTimes([window(0, 16_000)], 400, 0)]).toHaveLength(6_400);
});

test('a phase shifts the row by a part of the spacing', () => {
  expect([...steadyTimes([window(0, 40)], 50, 0, 0.5)]).toEqual([10, 30]);
});

test('arrivals pause between windows', () => {
  expect([...steadyTimes([window(0, 20), window(100, 120)], 100, 0)]).toEqual([0, 10, 100, 110]);
});

test('arrivals come at their times, never early', async () => {
  const clock = new FakeClock();
  const log: string[] = [];
  const onArrival = (intended: number): void => void log.push(`${intended} at ${clock.now()}`);
  const running = runArrivals({ clock, times: [0, 10, 25], onArrival, signal: never });
  await clock.advance(30);
  await running;
  expect(log).toEqual(['0 at 0', '10 at 10', '25 at 25']);
  expect(clock.pending).toBe(0);
});

test('after a stall the missed arrivals come at once with their intended times', async () => {
  const clock = new FakeClock();
  const log: string[] = [];
  const onArrival = (intended: number): void => void log.push(`${intended} at ${clock.now()}`);
  const running = runArrivals({ clock, times: [0, 10, 20, 60], onArrival, signal: never });
  clock.stall(50);
  await clock.advance(20);
  await running;
  expect(log).toEqual(['0 at 0', '10 at 50', '20 at 50', '60 at 60']);
});

test('an abort ends the arrivals and leaves no timer', async () => {
  const clock = new FakeClock();
  const abort = new AbortController();
  let arrived = 0;
  const onArrival = (): void => void arrived++;
  const running = runArrivals({ clock, times: [0, 10, 20], onArrival, signal: abort.signal });
  await clock.advance(12);
  abort.abort();
  await running;
  await clock.advance(100);
  expect([arrived, clock.pending]).toEqual([2, 0]);
});
