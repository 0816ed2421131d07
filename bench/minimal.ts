/**
 * The limit: about the least that a line with deadlines can do in JavaScript. No names, no walls, no
 * statistics, no leases, no protection against a second release; an error that says nothing. What a
 * partition costs beyond this is the price of what it does beyond this.
 *
 * What makes it fast: an intrusive doubly linked list; one timer for the common deadline, since the
 * order of the line is the order of the deadlines; one closure per waiter, a rejection goes through
 * a thenable; no stack is captured in a timer; links are cut on leaving, or else dead waiters keep
 * live ones reachable and the collector promotes them all.
 */
interface Waiter {
  settle: (value?: PromiseLike<undefined>) => void;
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  next: Waiter | undefined;
  previous: Waiter | undefined;
  queued: boolean;
}

const done = Promise.resolve(undefined);

export class MinimalSemaphore {
  #free: number;
  readonly #timeoutMillis: number;
  #first: Waiter | undefined = undefined;
  #last: Waiter | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(permits: number, timeoutMillis: number) {
    this.#free = permits;
    this.#timeoutMillis = timeoutMillis;
  }

  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  acquire(timeoutMillis?: number): Promise<undefined> {
    if (this.tryAcquire()) return done;
    return new Promise((resolve) => this.enqueue(resolve, timeoutMillis));
  }

  /** The waiter is the handle for `cancel`. */
  enqueue(settle: Waiter['settle'], timeoutMillis: number = this.#timeoutMillis): Waiter {
    const dueAt = performance.now() + timeoutMillis;
    const previous = this.#last;
    const waiter: Waiter = {
      settle,
      dueAt,
      timer: undefined,
      next: undefined,
      previous,
      queued: true,
    };
    if (this.#last) this.#last.next = waiter;
    else this.#first = waiter;
    this.#last = waiter;
    if (timeoutMillis !== this.#timeoutMillis) this.#armAlone(waiter, timeoutMillis);
    else if (!this.#timer) this.#timer = setTimeout(this.#expire, timeoutMillis);
    return waiter;
  }

  release(): void {
    const waiter = this.#first;
    if (!waiter) {
      this.#free++;
      return;
    }
    this.#remove(waiter);
    waiter.settle();
  }

  cancel(waiter: Waiter, reason: Error): void {
    if (waiter.queued) this.#reject(waiter, reason);
  }

  #armAlone(waiter: Waiter, millis: number): void {
    waiter.timer = setTimeout(() => this.#reject(waiter, bareError()), millis);
  }

  readonly #expire = (): void => {
    const now = performance.now();
    let due = this.#first;
    while (due && (due.timer || due.dueAt <= now)) {
      const { next } = due;
      if (!due.timer) this.#reject(due, bareError());
      due = next;
    }
    this.#timer = due ? setTimeout(this.#expire, Math.ceil(due.dueAt - now)) : undefined;
  };

  #reject(waiter: Waiter, error: Error): void {
    this.#remove(waiter);
    // eslint-disable-next-line unicorn/no-thenable -- one closure serves both outcomes
    waiter.settle({ then: (_resolve, reject) => reject?.(error) as never });
  }

  #remove(waiter: Waiter): void {
    const { previous, next } = waiter;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    waiter.next = undefined;
    waiter.previous = undefined;
    waiter.queued = false;
    if (waiter.timer) clearTimeout(waiter.timer);
  }
}

/** The stack of a timer says nothing about the caller: 0.4 instead of 2.3 µs. */
function bareError(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new Error('timed out');
  Error.stackTraceLimit = limit;
  return error;
}
