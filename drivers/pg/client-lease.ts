import type { Lease } from '../../src/lease.ts';
import { isClean, isUsable, kLease, type Loan, type TrackedClient } from './client.ts';
import { comeClean } from './come-clean.ts';
import type { Physical } from './physical.ts';

/** The partition that lends the client. */
export interface Lender {
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
 * One borrower's hold on one client, from its arrival to its release. It is tied to the lease and
 * not to the client: an old lease's `release` throws, whoever has the client by then.
 */
export class ClientLease {
  readonly #pool: Lender;
  readonly #lease: Lease;
  readonly #loan: Loan;
  /** held: by the borrower. reclaimed: by us, the borrower does not know. released: by the borrower. */
  #state: 'held' | 'reclaimed' | 'released' = 'held';

  constructor(pool: Lender, lease: Lease, loan: Loan) {
    this.#pool = pool;
    this.#lease = lease;
    this.#loan = loan;
  }

  /** Puts this lease's own functions on the client, in place of those of the lease before. */
  attach(): void {
    const { client } = this.#loan;
    client[kLease] = this;
    client.release = (destroy) => this.release(destroy);
  }

  /**
   * What the borrower calls.
   * @param destroy anything truthy closes the connection, as in pg
   */
  release(destroy?: Error | boolean): void {
    if (this.#state === 'released') {
      throw new Error('Release called on client which has already been released to the pool.');
    }
    const reclaimed = this.#state === 'reclaimed';
    this.#state = 'released';
    if (!reclaimed) this.#giveBack(destroy);
  }

  dispose(): void {
    if (this.#state !== 'released') this.release();
  }

  /** The connection is gone, or has to go, while the borrower still has it. */
  reclaim(reason: Error): void {
    if (this.#state !== 'held') return;
    this.#state = 'reclaimed';
    this.#giveBack(reason);
  }

  #giveBack(destroy: Error | boolean | undefined): void {
    const { client } = this.#loan;
    client[kLease] = undefined;
    this.#pool.emitRelease(destroy, client);
    if (destroy || !isUsable(client)) this.#checkin(destroy || true);
    else if (isClean(client)) this.#passOn();
    else this.#cleanUp();
  }

  /** Straight to the next waiter, or to whoever comes next, without a detour through the pool. */
  #passOn(): void {
    if (!this.#pool.mayHandOver) return this.#checkin(undefined);
    if (this.#lease.handOver(this.#loan)) return;
    this.#pool.physical.keepWarm(this.#loan);
    this.#lease.release();
  }

  #cleanUp(): void {
    const { client } = this.#loan;
    const { physical, hurry } = this.#pool;
    comeClean(client, physical.limitMillis, hurry.signal, (error) => {
      if (error || !isUsable(client)) this.#checkin(error ?? true);
      else this.#passOn();
    });
  }

  /** The permit comes back after the client, so that its next holder finds the client idle. */
  #checkin(destroy: Error | boolean | undefined): void {
    this.#pool.closing++;
    this.#pool.physical.checkin(this.#loan, destroy, () => {
      this.#pool.closing--;
      this.#lease.release();
    });
  }
}
