import { currentContext } from './context.ts';
import type { Timer } from './clock.ts';
import type { Lease } from './lease.ts';
import type { Partition } from './partition.ts';

/** What a caller may say about one acquire. */
export interface AcquireOptions {
  /** Gives the call up: it leaves the line and rejects with `ERR_ACQUIRE_ABORTED`. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds from the call until it rejects with `ERR_ACQUIRE_TIMEOUT`, 0 to 30000. 0 never
   * waits in line: it is granted at once or rejects with `ERR_PARTITION_FULL`.
   * @defaultValue the partition's `acquireTimeoutMillis`
   */
  acquireTimeoutMillis?: number | undefined;
  /**
   * Place in the partition's own line: higher first, first come first served among equals.
   * @defaultValue 0
   */
  priority?: number | undefined;
  /**
   * Says in errors who holds the lease: a job name, a route.
   * @defaultValue the label of the surrounding `runIn`
   */
  label?: string | undefined;
}

export const labelOf = (options: { label?: string | undefined } | undefined): string | undefined =>
  options?.label ?? currentContext()?.label;

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
  readonly partition: Partition;
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
    partition: Partition,
    receiver: Receiver,
    startedAt: number,
    timeoutMillis: number,
    options: AcquireOptions | undefined,
  ) {
    this.partition = partition;
    this.receiver = receiver;
    this.startedAt = startedAt;
    this.timeoutMillis = timeoutMillis;
    this.priority = options?.priority ?? 0;
    this.label = labelOf(options);
  }

  isDue(now: number): boolean {
    return now - this.startedAt >= this.timeoutMillis;
  }
}
