import type { RehearsalClock } from '../../rehearsal/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Time that only moves when a test says so, with a pause for promises at every step. */
export class FakeClock implements RehearsalClock {
  #now = 0;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  get pending(): number {
    return this.#timers.length;
  }

  after(delayMillis: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMillis, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  async advance(millis: number): Promise<void> {
    const end = this.#now + millis;
    await settle();
    for (;;) {
      const due = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (due === undefined || due.at > end) break;
      this.#timers = this.#timers.filter((each) => each !== due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** The whole machine stands still: time passes, no timer fires. */
  stall(millis: number): void {
    this.#now += millis;
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
