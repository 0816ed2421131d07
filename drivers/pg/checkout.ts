import { AsyncResource } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import { isPartitionClosedError } from '../../src/errors.ts';
import { callUser } from '../../src/call-user.ts';
import type { Lease } from '../../src/lease.ts';
import { Waiter } from '../../src/waiter.ts';
import { ClientLease, type LeaseHost } from './client-lease.ts';
import type { CheckedOut, TrackedClient } from './client.ts';
import { resetSession } from './reset.ts';

/** pg's own callback: the third argument releases. */
export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void;

/** The partition that a caller wants a client of. */
export interface CheckoutHost extends LeaseHost {
  /** Whether another partition has used the client since this one, and that matters. */
  mustReset(client: TrackedClient): boolean;
  emitAcquire(client: TrackedClient): void;
}

const noop = (): void => {};

/** Puts the client into the holder's hands. */
export function handTo(host: CheckoutHost, lease: Lease, checkedOut: CheckedOut): TrackedClient {
  lease.connection = checkedOut;
  new ClientLease(host, lease, checkedOut).attach();
  host.emitAcquire(checkedOut.client);
  return checkedOut.client;
}

/** One call of `connect`, from the request for a permit to the callback. */
export class Checkout extends Waiter {
  readonly #pool: CheckoutHost;
  readonly #callback: ConnectCallback;
  /** The caller's async context (I10), where another call's may be current when we go on. */
  #scope: AsyncResource | undefined = undefined;
  /** `connect` has returned: from then on the callback may come at any moment. */
  returned = false;

  constructor(pool: CheckoutHost, callback: ConnectCallback) {
    super();
    this.#pool = pool;
    this.#callback = callback;
  }

  /** To be called in the caller's own context. */
  captureContext(): void {
    this.#scope ??= new AsyncResource('watertight.connect');
  }

  override granted(lease: Lease, now?: number): void {
    const handedOver = lease.connection as CheckedOut | undefined;
    if (handedOver) this.#arrived(lease, handedOver, now);
    else this.#inScope(() => this.#checkOut(lease));
  }

  override rejected(error: Error): void {
    const tell = (): void => this.#inScope(() => this.#callback(error, undefined, noop));
    // pg itself calls back at once when the pool has ended.
    if (this.returned || isPartitionClosedError(error)) tell();
    else process.nextTick(tell);
  }

  #checkOut(lease: Lease): void {
    this.#pool.physical.checkout((error, checkedOut) => {
      if (checkedOut) this.#prepare(lease, checkedOut);
      else lease.fail(error as Error);
    });
  }

  /** The deadline goes on: a reset is part of what the caller waits for. */
  #prepare(lease: Lease, checkedOut: CheckedOut): void {
    const { physical } = this.#pool;
    if (!this.#pool.mustReset(checkedOut.client)) return this.#arrived(lease, checkedOut);
    resetSession(checkedOut.client, physical.limitMillis, (error) => {
      if (error) physical.checkin(checkedOut, error, () => lease.fail(error));
      else this.#arrived(lease, checkedOut);
    });
  }

  #arrived(lease: Lease, checkedOut: CheckedOut, now?: number): void {
    lease.connection = checkedOut;
    if (lease.deliver(now)) this.#inScope(() => this.#handOut(lease));
    else this.#arrivedLate(lease, checkedOut);
  }

  /** The caller was told no; its connection serves whoever is next and is never delivered late. */
  #arrivedLate(lease: Lease, checkedOut: CheckedOut): void {
    if (this.#pool.mayHandOver && lease.handOver()) return;
    this.#pool.physical.checkin(checkedOut, undefined, () => lease.release());
  }

  #handOut(lease: Lease): void {
    const client = handTo(this.#pool, lease, lease.connection as CheckedOut);
    if (this.returned) this.#callback(undefined, client, client.release);
    else process.nextTick(this.#callback, undefined, client, client.release);
  }

  #inScope(fn: () => void): void {
    const scope = this.#scope;
    callUser(scope ? () => scope.runInAsyncScope(fn) : fn);
  }
}
