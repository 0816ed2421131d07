import { setImmediate } from 'node:timers';
import { callUser } from './call-user.ts';

/** A pending timer; `unref` lets the process exit while it is pending, as in Node. */
export interface Timer {
  ref(): unknown;
  unref(): unknown;
}

/** Where all time comes from, so that tests can turn it by hand. */
export interface Clock {
  /** Milliseconds on a monotonic scale; only differences mean anything. */
  now(): number;
  /**
   * The time at the beginning of this turn of the event loop, or a little later in it: good enough
   * for statistics, and next to free where `now` costs 50 ns.
   */
  turn(): number;
  setTimer(callback: () => void, millis: number): Timer;
  clearTimer(timer: Timer): void;
}

let turnStartedAt: number | undefined;
let atItsEnd: (() => void)[] = [];

// Not the global one: under the fake timers of a test runner the turn would never end.
function startTurn(): number {
  setImmediate(endTurn);
  return performance.now();
}

function endTurn(): void {
  turnStartedAt = undefined;
  if (atItsEnd.length === 0) return;
  const callbacks = atItsEnd;
  atItsEnd = [];
  for (const callback of callbacks) callUser(callback);
}

/** Calls back when this turn of the event loop ends; many may ask, they share one immediate. */
export function atEndOfTurn(callback: () => void): void {
  systemClock.turn();
  atItsEnd.push(callback);
}

// The globals are looked up at each call so that fake timers of a test runner replace both alike.
export const systemClock: Clock = {
  now: () => performance.now(),
  turn: () => (turnStartedAt ??= startTurn()),
  setTimer: (callback, millis) => setTimeout(callback, millis),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
