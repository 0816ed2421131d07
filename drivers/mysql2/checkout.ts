import type { EventEmitter } from 'node:events';
import type { PoolConnection } from 'mysql2';
import { isPartitionClosedError } from '../../src/errors.ts';
import type { Lease } from '../../src/lease.ts';
import { Checkout } from '../shared/checkout.ts';
import { ConnectionLease, type LeaseHost } from './connection-lease.ts';
import type { TrackedConnection } from './connection.ts';
import { resetSession } from './reset.ts';
import { WORDS } from './traits.ts';

/** mysql2's own callback. */
export type ConnectionCallback = (
  error: NodeJS.ErrnoException | null,
  connection: PoolConnection,
) => unknown;

/** The partition that a caller wants a connection of. */
export interface CheckoutHost extends LeaseHost, EventEmitter {
  /** Whether another partition has used the connection since this one, and that matters. */
  mustReset(connection: TrackedConnection): boolean;
  emitAcquire(connection: TrackedConnection): void;
}

/** Puts the connection into the holder's hands. */
export function handTo(
  host: CheckoutHost,
  lease: Lease,
  connection: TrackedConnection,
): PoolConnection {
  new ConnectionLease(host, lease, connection).attach();
  host.emitAcquire(connection);
  return connection;
}

/** One call of `getConnection`, from the request for a permit to the callback. */
export class ConnectionCheckout extends Checkout<TrackedConnection> {
  readonly #pool: CheckoutHost;
  readonly #callback: ConnectionCallback;

  constructor(pool: CheckoutHost, callback: ConnectionCallback) {
    super();
    this.#pool = pool;
    this.#callback = callback;
  }

  protected override checkOut(lease: Lease): void {
    // An idle connection comes in the next tick, which keeps the context; a new one does not.
    if (!this.#pool.physical.hasIdle) this.captureContext();
    this.#pool.physical.checkout(this.#pool, (error, connection) => {
      if (connection) this.#prepare(lease, connection);
      else lease.fail(error as Error);
    });
  }

  protected override handOut(lease: Lease, connection: TrackedConnection): void {
    const given = handTo(this.#pool, lease, connection);
    if (this.returned) this.#callback(null, given);
    else process.nextTick(this.#callback, null, given);
  }

  protected override arrivedLate(lease: Lease, connection: TrackedConnection): void {
    if (lease.handOver()) return;
    this.#pool.physical.checkin(connection);
    lease.release();
  }

  protected override refuse(error: Error): void {
    // Programs compare the whole message of this one; its details are in its properties.
    if (isPartitionClosedError(error)) error.message = WORDS.closed;
    this.#callback(error, undefined as unknown as PoolConnection);
  }

  /** The deadline goes on: a reset is part of what the caller waits for. */
  #prepare(lease: Lease, connection: TrackedConnection): void {
    const { physical } = this.#pool;
    if (!this.#pool.mustReset(connection)) return this.arrived(lease, connection);
    lease.connection = connection;
    this.captureContext();
    resetSession(connection, physical, (error) => {
      if (error) physical.close(connection, error, () => lease.fail(error));
      else this.arrived(lease, connection);
    });
  }
}
