import type { PoolClient } from 'pg';
import { isPartitionClosedError } from '../../src/errors.ts';
import type { Lease } from '../../src/lease.ts';
import { Checkout } from '../shared/checkout.ts';
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
export class ClientCheckout extends Checkout<CheckedOut> {
  readonly #pool: CheckoutHost;
  readonly #callback: ConnectCallback;

  constructor(pool: CheckoutHost, callback: ConnectCallback) {
    super();
    this.#pool = pool;
    this.#callback = callback;
  }

  protected override checkOut(lease: Lease): void {
    this.#pool.physical.checkout((error, checkedOut) => {
      if (checkedOut) this.#prepare(lease, checkedOut);
      else lease.fail(error as Error);
    });
  }

  protected override handOut(lease: Lease, checkedOut: CheckedOut): void {
    const client = handTo(this.#pool, lease, checkedOut);
    if (this.returned) this.#callback(undefined, client, client.release);
    else process.nextTick(this.#callback, undefined, client, client.release);
  }

  protected override arrivedLate(lease: Lease, checkedOut: CheckedOut): void {
    if (this.#pool.mayHandOver && lease.handOver()) return;
    this.#pool.physical.checkin(checkedOut, undefined, () => lease.release());
  }

  protected override refuse(error: Error): void {
    this.#callback(error, undefined, noop);
  }

  /** pg itself calls back at once when the pool has ended. */
  protected override tellsAtOnce(error: Error): boolean {
    return isPartitionClosedError(error);
  }

  /** The deadline goes on: a reset is part of what the caller waits for. */
  #prepare(lease: Lease, checkedOut: CheckedOut): void {
    const { physical } = this.#pool;
    if (!this.#pool.mustReset(checkedOut.client)) return this.arrived(lease, checkedOut);
    resetSession(checkedOut.client, physical.limitMillis, (error) => {
      if (error) physical.checkin(checkedOut, error, () => lease.fail(error));
      else this.arrived(lease, checkedOut);
    });
  }
}
