import type { Clock, Timer } from '../../src/clock.ts';

interface FakeTimer extends Timer {
  readonly at: number;
  readonly callback: () => void;
  held: boolean;
}

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  /** Milliseconds by which every timer fires too early, as Node's may by a fraction. */
  readonly early: number;
  #now = 0;
  readonly #timers = new Set<FakeTimer>();

  constructor({ early = 0 }: { early?: number } = {}) {
    this.early = early;
  }

  now(): number {
    return this.#now;
  }

  turn(): number {
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
    let pending = 0;
    for (const { held } of this.#timers) if (held) pending++;
    return pending;
  }

  /** Timers in all, also those that let a process exit. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Moves time on, firing each timer at its own moment; 0 fires what a stall left overdue. */
  advance(millis: number): void {
    const end = this.#now + millis;
    for (let due = this.#nextUntil(end); due; due = this.#nextUntil(end)) {
      this.#now = Math.max(this.#now, due.at - this.early);
      this.#timers.delete(due);
      due.callback();
    }
    this.#now = end;
  }

  /** Moves time on with no timer fired, as a blocked event loop does. */
  stall(millis: number): void {
    this.#now += millis;
  }

  /** The earliest timer; of equals the one set first. */
  #nextUntil(end: number): FakeTimer | undefined {
    let next: FakeTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.at - this.early <= end && (!next || timer.at < next.at)) next = timer;
    }
    return next;
  }
}
