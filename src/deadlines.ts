import type { Clock, Timer } from './clock.ts';
import type { Waiter } from './waiter.ts';

/**
 * The deadlines of one partition. Calls with the partition's own timeout fall due in the order in
 * which they came, so one list and one timer serve them all; a call with another timeout has its
 * own timer. A deadline is armed once and never re-armed (I8).
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #timeoutMillis: number;
  readonly #expire: (waiter: Waiter, now: number) => void;
  #first: Waiter | undefined = undefined;
  #last: Waiter | undefined = undefined;
  #timer: Timer | undefined = undefined;
  #held = false;

  constructor(clock: Clock, timeoutMillis: number, expire: (waiter: Waiter, now: number) => void) {
    this.#clock = clock;
    this.#timeoutMillis = timeoutMillis;
    this.#expire = expire;
  }

  arm(waiter: Waiter): void {
    if (waiter.timeoutMillis === this.#timeoutMillis) this.#append(waiter);
    else this.#armAlone(waiter, waiter.timeoutMillis);
  }

  disarm(waiter: Waiter): void {
    const { extras } = waiter;
    if (extras?.timer) {
      this.#clock.clearTimer(extras.timer);
      extras.timer = undefined;
    } else if (waiter.dueBefore || waiter.dueAfter || this.#first === waiter) {
      this.#remove(waiter);
    }
  }

  /**
   * Whether the timer keeps the process alive. It does while somebody stands in line, who has
   * nothing else that would; whoever connects has a socket.
   */
  hold(on: boolean): void {
    this.#held = on;
    if (on) this.#timer?.ref();
    else this.#timer?.unref();
  }

  /** Tells those whose time is over; the timer does it too, but may be late after a stall. */
  expireDue(now: number): void {
    while (this.#first?.isDue(now)) {
      const waiter = this.#first;
      this.#remove(waiter);
      this.#expire(waiter, now);
    }
  }

  /** Ends the shared timer; it is idle then, since nobody waits in a closed partition. */
  stop(): void {
    if (!this.#timer || this.#first) return;
    this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #append(waiter: Waiter): void {
    waiter.dueBefore = this.#last;
    if (this.#last) this.#last.dueAfter = waiter;
    else this.#first = waiter;
    this.#last = waiter;
    if (!this.#timer) this.#setTimer(this.#timeoutMillis);
  }

  #setTimer(millis: number): void {
    this.#timer = this.#clock.setTimer(this.#onTimer, millis);
    if (!this.#held) this.#timer.unref();
  }

  #remove(waiter: Waiter): void {
    const { dueBefore, dueAfter } = waiter;
    if (dueBefore) dueBefore.dueAfter = dueAfter;
    else this.#first = dueAfter;
    if (dueAfter) dueAfter.dueBefore = dueBefore;
    else this.#last = dueBefore;
    waiter.dueBefore = undefined;
    waiter.dueAfter = undefined;
    // The timer goes on: cheaper than one for each call, it fires once more and finds nobody.
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    const now = this.#clock.now();
    this.expireDue(now);
    if (!this.#first) return;
    // A call made while the expired were told has set the timer for itself: too late for the first.
    if (this.#timer) this.#clock.clearTimer(this.#timer);
    this.#setTimer(remaining(this.#first, now));
  };

  #armAlone(waiter: Waiter, millis: number): void {
    const extras = waiter.withExtras();
    extras.timer = this.#clock.setTimer(() => {
      extras.timer = undefined;
      const now = this.#clock.now();
      if (waiter.isDue(now)) this.#expire(waiter, now);
      else this.#armAlone(waiter, remaining(waiter, now));
    }, millis);
  }
}

/** Timers of Node may fire a fraction of a millisecond early; a deadline must not. */
const remaining = (waiter: Waiter, now: number): number =>
  Math.ceil(waiter.startedAt + waiter.timeoutMillis - now);
