import type { Clock, Timer } from '../../src/clock.ts';

interface FakeTimer extends Timer {
  readonly at: number;
  readonly callback: () => void;
  held: boolean;
}

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<FakeTimer>();

  now(): number {
    return this.#now;
  }

  setTimer(callback: () => void, millis: number): Timer {
    const timer: FakeTimer = {
      at: this.#now + millis,
      callback,
      held: true,
      ref: () => (timer.held = true),
      unref: () => (timer.held = false),
    };
    this.#timers.add(timer);
    return timer;
  }

  clearTimer(timer: Timer): void {
    this.#timers.delete(timer as FakeTimer);
  }

  /** Timers that would keep a process alive. */
  get pending(): number {
    return [...this.#timers].filter(({ held }) => held).length;
  }

  /** Moves time on, firing each timer at its own moment. */
  advance(millis: number): void {
    const end = this.#now + millis;
    for (let due = this.#nextUntil(end); due; due = this.#nextUntil(end)) {
      this.#now = Math.max(this.#now, due.at);
      this.#timers.delete(due);
      due.callback();
    }
    this.#now = end;
  }

  /** Moves time on with no timer fired, as a blocked event loop does. */
  stall(millis: number): void {
    this.#now += millis;
  }

  #nextUntil(end: number): FakeTimer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= end);
    return due.toSorted((a, b) => a.at - b.at)[0];
  }
}
