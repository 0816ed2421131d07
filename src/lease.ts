import { LeaseReleasedError } from './errors.ts';
import type { Holding } from './holders.ts';
import type { Waiter } from './waiter.ts';

/** The partition that a lease belongs to, as far as a lease is concerned. */
export interface LeaseOwner {
  readonly name: string;
  release(holding: Holding): void;
  handOver(holding: Holding): boolean;
  /** False when the caller is gone or its deadline has passed. */
  settleDelivered(waiter: Waiter, now?: number): boolean;
  settleFailed(waiter: Waiter, error: Error): void;
}

/**
 * A permit and, in a driver, the connection it stands for. Single use: it goes back exactly once
 * (I9). Made only by the partitioner.
 */
export class Lease {
  readonly #holding: Holding;
  readonly #number: number;
  /** The caller it was granted to; undefined for who did not have to wait. */
  readonly #waiter: Waiter | undefined;

  constructor(holding: Holding, waiter: Waiter | undefined) {
    this.#holding = holding;
    this.#number = holding.number;
    this.#waiter = waiter;
  }

  get released(): boolean {
    return this.#holding.number !== this.#number;
  }

  /** For drivers: the live connection; undefined before there is one, and after the release. */
  get connection(): unknown {
    return this.released ? undefined : this.#holding.connection;
  }

  /** @throws `ERR_LEASE_RELEASED` when it was released before. */
  set connection(connection: unknown) {
    this.#held().connection = connection;
  }

  /**
   * For drivers: settles the caller, who now has the lease. False when the caller is gone (timed
   * out or aborted while connecting); the lease is then still to be released.
   * @param now what `granted` was told, which spares a look at the clock
   */
  deliver(now?: number): boolean {
    const { partition } = this.#held();
    return this.#waiter === undefined || partition.settleDelivered(this.#waiter, now);
  }

  /** For drivers: releases, and tells the caller, if still there, why there is no connection. */
  fail(error: Error): void {
    this.release();
    if (this.#waiter) this.#holding.partition.settleFailed(this.#waiter, error);
  }

  /**
   * Gives the permit back; whoever is next is granted before this returns.
   * @throws `ERR_LEASE_RELEASED` the second time: a permit comes back exactly once.
   */
  release(): void {
    const holding = this.#held();
    holding.partition.release(holding);
  }

  /**
   * For drivers: gives permit and connection straight to the next waiter of the same partition.
   * False when there is none that may have it; the lease is then still held.
   * @throws `ERR_LEASE_RELEASED` when it was released before.
   */
  handOver(): boolean {
    const holding = this.#held();
    return holding.partition.handOver(holding);
  }

  /** Releases at the end of a `using` block, unless that happened before. */
  [Symbol.dispose](): void {
    if (!this.released) this.release();
  }

  #held(): Holding {
    const holding = this.#holding;
    if (holding.number !== this.#number) throw new LeaseReleasedError(holding.partition.name);
    return holding;
  }
}
