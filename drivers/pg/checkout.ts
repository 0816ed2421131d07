import { AsyncResource } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import { isPartitionClosedError } from '../../src/errors.ts';
import type { Lease } from '../../src/lease.ts';
import { Waiter } from '../../src/waiter.ts';
import { ClientLease, type Lender } from './client-lease.ts';
import type { Loan, TrackedClient } from './client.ts';
import { callUser } from './emit.ts';
import { resetSession } from './reset.ts';

/** pg's own callback: the third argument releases. */
export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void;

/** The partition that a caller wants a client of. */
export interface Desk extends Lender {
  /** Whether another partition has used the client since this one, and that matters. */
  mustReset(client: TrackedClient): boolean;
  emitAcquire(client: TrackedClient): void;
}

const noop = (): void => {};

/** Puts the client into the borrower's hands. */
export function lend(desk: Desk, lease: Lease, loan: Loan): TrackedClient {
  lease.connection = loan;
  new ClientLease(desk, lease, loan).attach();
  desk.emitAcquire(loan.client);
  return loan.client;
}

/** One call of `connect`, from the request for a permit to the callback. */
export class Checkout extends Waiter {
  readonly #pool: Desk;
  readonly #callback: ConnectCallback;
  /** The caller's async context (I10), where another call's may be current when we go on. */
  #scope: AsyncResource | undefined = undefined;
  /** `connect` has returned: from then on the callback may come at any moment. */
  returned = false;

  constructor(pool: Desk, callback: ConnectCallback) {
    super();
    this.#pool = pool;
    this.#callback = callback;
  }

  /** To be called in the caller's own context. */
  captureContext(): void {
    this.#scope ??= new AsyncResource('watertight.connect');
  }

  override granted(lease: Lease, now?: number): void {
    const handedOver = lease.connection as Loan | undefined;
    if (handedOver) this.#arrived(lease, handedOver, now);
    else this.#inScope(() => this.#checkOut(lease));
  }

  override rejected(error: Error): void {
    const tell = (): void => this.#inScope(() => this.#callback(error, undefined, noop));
    // pg itself calls back at once when the pool has ended.
    if (isPartitionClosedError(error)) tell();
    else this.#afterReturn(tell);
  }

  #checkOut(lease: Lease): void {
    this.#pool.physical.checkout((error, loan) => {
      if (loan) this.#prepare(lease, loan);
      else lease.fail(error as Error);
    });
  }

  /** The deadline goes on: a reset is part of what the caller waits for. */
  #prepare(lease: Lease, loan: Loan): void {
    const { physical } = this.#pool;
    if (!this.#pool.mustReset(loan.client)) return this.#arrived(lease, loan);
    resetSession(loan.client, physical.limitMillis, (error) => {
      if (error) physical.checkin(loan, error, () => lease.fail(error));
      else this.#arrived(lease, loan);
    });
  }

  #arrived(lease: Lease, loan: Loan, now?: number): void {
    lease.connection = loan;
    if (!lease.deliver(now)) return this.#arrivedLate(lease, loan);
    this.#inScope(() => {
      const client = lend(this.#pool, lease, loan);
      this.#afterReturn(() => this.#callback(undefined, client, client.release));
    });
  }

  /** The caller was told no; its connection serves whoever is next and is never delivered late. */
  #arrivedLate(lease: Lease, loan: Loan): void {
    if (this.#pool.mayHandOver && lease.handOver(loan)) return;
    this.#pool.physical.checkin(loan, undefined, () => lease.release());
  }

  #afterReturn(tell: () => void): void {
    if (this.returned) tell();
    else process.nextTick(tell);
  }

  #inScope(fn: () => void): void {
    const scope = this.#scope;
    if (scope) callUser(() => scope.runInAsyncScope(fn));
    else callUser(fn);
  }
}
