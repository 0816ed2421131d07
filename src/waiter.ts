import type { AcquireOptions } from './acquire-options.ts';
import type { Timer } from './clock.ts';
import { currentContext } from './context.ts';
import type { Lease } from './lease.ts';

/** Who is told the outcome of a request. Neither function may throw. */
export interface Receiver {
  /** A permit has come; `lease.deliver()` tells whether the caller is still there. */
  granted(lease: Lease): void;
  /** The caller is told `error`: nothing will be delivered. */
  rejected(error: Error): void;
}

/**
 * calling: not yet answered. waiting: in line. connecting: has a permit, not yet delivered.
 * settled: the caller knows.
 */
export type WaiterState = 'calling' | 'waiting' | 'connecting' | 'settled';

/** One caller from its call until it is settled, exactly once (I9). */
export class Waiter {
  state: WaiterState = 'calling';
  readonly receiver: Receiver;
  readonly startedAt: number;
  /** Milliseconds after `startedAt` at which the caller is told no (I8); set once. */
  readonly timeoutMillis: number;
  readonly priority: number;
  readonly label: string | undefined;

  signal: AbortSignal | undefined = undefined;
  onAbort: (() => void) | undefined = undefined;
  /** Only for a deadline that differs from the partition's own. */
  timer: Timer | undefined = undefined;

  /** Neighbours in the line, and in the order of deadlines. Owned by `Line` and `Deadlines`. */
  lineBefore: Waiter | undefined = undefined;
  lineAfter: Waiter | undefined = undefined;
  dueBefore: Waiter | undefined = undefined;
  dueAfter: Waiter | undefined = undefined;

  constructor(
    receiver: Receiver,
    startedAt: number,
    timeoutMillis: number,
    options: AcquireOptions | undefined,
  ) {
    this.receiver = receiver;
    this.startedAt = startedAt;
    this.timeoutMillis = timeoutMillis;
    this.priority = options?.priority ?? 0;
    this.label = options?.label ?? currentContext()?.label;
  }

  isDue(now: number): boolean {
    return now - this.startedAt >= this.timeoutMillis;
  }
}
