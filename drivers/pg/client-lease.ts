import type { Lease } from '../../src/lease.ts';
import { isClean, isUsable, kLease, type CheckedOut, type TrackedClient } from './client.ts';
import { comeClean } from './come-clean.ts';
import type { Physical } from './physical.ts';

/** The partition that lends the client. */
export interface LeaseHost {
  readonly physical: Physical;
  /** Whether a client may go from one lease to the next without being checked in. */
  readonly mayHandOver: boolean;
  /** Aborted when clean-ups have to come to an end. */
  readonly hurry: AbortController;
  /** Leases whose connection is being checked in or closed. */
  closing: number;
  emitRelease(destroy: Error | boolean | undefined, client: TrackedClient): void;
}

/**
 * One holder's hold on one client, from its arrival to its release. It is tied to the lease and
 * not to the client: an old lease's `release` throws, whoever has the client by then.
 */
export class ClientLease {
  readonly #pool: LeaseHost;
  readonly #lease: Lease;
  readonly #checkedOut: CheckedOut;
  /** held: by the holder. takenBack: by us, the holder does not know. released: by the holder. */
  #state: 'held' | 'takenBack' | 'released' = 'held';

  constructor(pool: LeaseHost, lease: Lease, checkedOut: CheckedOut) {
    this.#pool = pool;
    this.#lease = lease;
    this.#checkedOut = checkedOut;
  }

  /** Puts this lease's own functions on the client, in place of those of the lease before. */
  attach(): void {
    const { client } = this.#checkedOut;
    client[kLease] = this;
    client.release = (destroy) => this.release(destroy);
  }

  /**
   * What the holder calls.
   * @param destroy anything truthy closes the connection, as in pg
   */
  release(destroy?: Error | boolean): void {
    if (this.#state === 'released') {
      throw new Error('Release called on client which has already been released to the pool.');
    }
    const takenBack = this.#state === 'takenBack';
    this.#state = 'released';
    if (!takenBack) this.#giveBack(destroy);
  }

  dispose(): void {
    if (this.#state !== 'released') this.release();
  }

  /** The connection is gone, or has to go, while the holder still has it. */
  takeBack(reason: Error): void {
    if (this.#state !== 'held') return;
    this.#state = 'takenBack';
    this.#giveBack(reason);
  }

  #giveBack(destroy: Error | boolean | undefined): void {
    const { client } = this.#checkedOut;
    client[kLease] = undefined;
    this.#pool.emitRelease(destroy, client);
    if (destroy || !isUsable(client)) this.#checkin(destroy || true);
    else if (isClean(client)) this.#passOn();
    else this.#cleanUp();
  }

  /** Straight to the next waiter, or to whoever comes next, without a detour through the pool. */
  #passOn(): void {
    if (!this.#pool.mayHandOver) return this.#checkin(undefined);
    if (this.#lease.handOver()) return;
    this.#pool.physical.keepWarm(this.#checkedOut);
    this.#lease.release();
  }

  #cleanUp(): void {
    const { client } = this.#checkedOut;
    const { physical, hurry } = this.#pool;
    comeClean(client, physical.limitMillis, hurry.signal, (error) => {
      if (error || !isUsable(client)) this.#checkin(error ?? true);
      else this.#passOn();
    });
  }

  /** The permit comes back after the client, so that its next holder finds the client idle. */
  #checkin(destroy: Error | boolean | undefined): void {
    this.#pool.closing++;
    this.#pool.physical.checkin(this.#checkedOut, destroy, () => {
      this.#pool.closing--;
      this.#lease.release();
    });
  }
}
