import type { Calls } from './abort.ts';
import type { AcquireOptions } from './acquire-options.ts';
import type { Timer } from './clock.ts';
import { currentContext } from './context.ts';
import type { Lease } from './lease.ts';

/**
 * calling: not yet answered. waiting: in line. connecting: has a permit, not yet delivered.
 * settled: the caller knows.
 */
export type WaiterState = 'calling' | 'waiting' | 'connecting' | 'settled';

/** What only some calls have; apart, since lines can be long and memory is counted per waiter. */
interface Extras {
  label: string | undefined;
  /** The calls on the same signal. */
  calls: Calls | undefined;
  onAbort: (() => void) | undefined;
  /** For a deadline that differs from the partition's own. */
  timer: Timer | undefined;
}

/** The label of a call, or that of the `runIn` around it. */
export const labelOf = (options: { label?: string | undefined } | undefined): string | undefined =>
  options?.label ?? currentContext()?.label;

/** One caller from its call until it is settled, exactly once (I9). */
export abstract class Waiter {
  state: WaiterState = 'calling';
  startedAt = 0;
  /** Milliseconds after `startedAt` at which the caller is told no (I8); set once, at the call. */
  timeoutMillis = 0;
  priority = 0;
  extras: Extras | undefined = undefined;

  /** Neighbours in the line, and in the order of deadlines. Owned by `Line` and `Deadlines`. */
  lineBefore: Waiter | undefined = undefined;
  lineAfter: Waiter | undefined = undefined;
  dueBefore: Waiter | undefined = undefined;
  dueAfter: Waiter | undefined = undefined;

  /**
   * A permit has come; `lease.deliver(now)` tells whether the caller is still there. Must not throw.
   * @param now the time, if no other code has run since the grant
   */
  abstract granted(lease: Lease, now?: number): void;
  /** The caller is told `error`: nothing will be delivered. Must not throw. */
  abstract rejected(error: Error): void;

  /** The call is made now. */
  begin(options: AcquireOptions | undefined, now: number, timeoutMillis: number): void {
    this.startedAt = now;
    this.timeoutMillis = timeoutMillis;
    const label = labelOf(options);
    if (label !== undefined) this.withExtras().label = label;
    if (options?.priority !== undefined) this.priority = options.priority;
  }

  get label(): string | undefined {
    return this.extras?.label;
  }

  withExtras(): Extras {
    this.extras ??= { label: undefined, calls: undefined, onAbort: undefined, timer: undefined };
    return this.extras;
  }

  isDue(now: number): boolean {
    return now - this.startedAt >= this.timeoutMillis;
  }
}

/** Like a rejected promise, without the bookkeeping of unhandled rejections. */
class Rejection {
  readonly #error: Error;

  constructor(error: Error) {
    this.#error = error;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- to be one is its only purpose
  then(_: unknown, reject: (error: Error) => void): void {
    reject(this.#error);
  }
}

/** A caller that awaits a promise. */
export class PromiseWaiter extends Waiter {
  readonly #resolve: (lease: Lease | PromiseLike<Lease>) => void;

  constructor(resolve: (lease: Lease | PromiseLike<Lease>) => void) {
    super();
    this.#resolve = resolve;
  }

  granted(lease: Lease, now?: number): void {
    // Gone when it was aborted, or its deadline passed, between the grant and this.
    if (lease.deliver(now)) this.#resolve(lease);
    else lease.release();
  }

  rejected(error: Error): void {
    // Resolved by a rejection, so that a waiter keeps one function and not two.
    this.#resolve(new Rejection(error) as unknown as PromiseLike<never>);
  }
}
