import type { RehearsalClock } from './clock.ts';
import type { Window } from './scenario.ts';

/**
 * Open loop: an arrival comes at its time however slow the answers are. When the machine is late,
 * the missed arrivals come all at once and their latency still counts from the intended time, so
 * that a slow spell cannot hide itself by slowing down the load (coordinated omission).
 */
export interface ArrivalOptions {
  readonly clock: RehearsalClock;
  /** Intended times on the clock, ascending. */
  readonly times: Iterable<number>;
  readonly onArrival: (intended: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Evenly spaced, the same in every run. `phase` (0 to 1) shifts the whole row by a part of the
 * spacing, so that two workloads do not arrive in pairs.
 */
export function* steadyTimes(
  windows: readonly Window[],
  ratePerSecond: number,
  start: number,
  phase = 0,
): Generator<number> {
  for (const { fromMillis, toMillis } of windows) {
    const count = Math.round(((toMillis - fromMillis) * ratePerSecond) / 1_000);
    for (let k = 0; k < count; k++) {
      yield start + fromMillis + ((k + phase) * 1_000) / ratePerSecond;
    }
  }
}

/**
 * Independent of each other, as those of many callers are: the gaps are distributed exponentially
 * around the spacing that the rate gives.
 * @param random numbers from 0 (included) to 1 (not included)
 */
export function* poissonTimes(
  windows: readonly Window[],
  ratePerSecond: number,
  start: number,
  random: () => number,
): Generator<number> {
  const gap = (): number => (-Math.log(1 - random()) * 1_000) / ratePerSecond;
  for (const { fromMillis, toMillis } of windows) {
    for (let at = fromMillis + gap(); at < toMillis; at += gap()) yield start + at;
  }
}

/** Resolves when the last arrival has come, or on abort. */
export function runArrivals({ clock, times, onArrival, signal }: ArrivalOptions): Promise<void> {
  const ahead = times[Symbol.iterator]();
  let next = ahead.next();
  return new Promise((resolve) => {
    let cancel = (): void => undefined;
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const turn = (): void => {
      while (!next.done && next.value <= clock.now()) {
        onArrival(next.value);
        next = ahead.next();
      }
      if (next.done) return finish();
      // Timers fire late rather than early, and by whole milliseconds: rounding down keeps the lag small.
      cancel = clock.after(Math.max(1, Math.floor(next.value - clock.now())), turn);
    };
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', finish, { once: true });
    turn();
  });
}
