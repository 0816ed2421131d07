import { LeaseReleasedError } from './errors.ts';
import type { Waiter } from './waiter.ts';

/** The partition that a lease belongs to, as far as a lease is concerned. */
export interface LeaseOwner {
  readonly name: string;
  release(lease: Lease): void;
  handOver(lease: Lease, connection: unknown): boolean;
  /** False when the caller is gone or its deadline has passed. */
  settleDelivered(waiter: Waiter, now?: number): boolean;
  settleFailed(waiter: Waiter, error: Error): void;
}

/**
 * A permit and, in a driver, the connection it stands for. Single use: it goes back exactly once
 * (I9). Made only by the partitioner.
 */
export class Lease {
  readonly partition: LeaseOwner;
  /** When the permit was granted, on the partition's clock. */
  readonly grantedAt: number;
  /** The caller it was granted to; undefined for `tryAcquire`, which never waits. */
  readonly waiter: Waiter | undefined;
  readonly label: string | undefined;
  /** A driver's live connection. When handed over, it is here before `granted` is called. */
  connection: unknown = undefined;

  /** The one granted before it. Owned by `Holders`. */
  before: Lease | undefined = undefined;

  #released = false;

  constructor(
    partition: LeaseOwner,
    grantedAt: number,
    waiter: Waiter | undefined,
    label: string | undefined,
  ) {
    this.partition = partition;
    this.grantedAt = grantedAt;
    this.waiter = waiter;
    this.label = label;
  }

  get released(): boolean {
    return this.#released;
  }

  /**
   * For drivers: settles the caller, who now has the lease. False when the caller is gone (timed
   * out or aborted while connecting); the lease is then still to be released.
   * @param now what `granted` was told, which spares a look at the clock
   */
  deliver(now?: number): boolean {
    this.assertHeld();
    return this.waiter === undefined || this.partition.settleDelivered(this.waiter, now);
  }

  /** For drivers: releases, and tells the caller, if still there, why there is no connection. */
  fail(error: Error): void {
    this.release();
    if (this.waiter) this.partition.settleFailed(this.waiter, error);
  }

  /**
   * Gives the permit back; whoever is next is granted before this returns.
   * @throws `ERR_LEASE_RELEASED` the second time: a permit comes back exactly once.
   */
  release(): void {
    this.partition.release(this);
  }

  /**
   * For drivers: gives permit and connection straight to the next waiter of the same partition.
   * False when there is none that may have it; the lease is then still held.
   * @throws `ERR_LEASE_RELEASED` when it was released before.
   */
  handOver(connection: unknown): boolean {
    return this.partition.handOver(this, connection);
  }

  /** Releases at the end of a `using` block, unless that happened before. */
  [Symbol.dispose](): void {
    if (!this.#released) this.release();
  }

  /** Only for the partitioner. */
  spend(): void {
    this.assertHeld();
    this.#released = true;
  }

  assertHeld(): void {
    if (this.#released) throw new LeaseReleasedError(this.partition.name);
  }
}
