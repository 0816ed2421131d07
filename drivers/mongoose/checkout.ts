import { isAcquireAbortedError } from '../../src/errors.ts';
import type { Lease } from '../../src/lease.ts';
import { Waiter } from '../../src/waiter.ts';
import type { CheckOutOptions, Connection } from './driver.ts';
import { asDriverError } from './errors.ts';
import type { Operation } from './operation.ts';

/** The pool, as far as a checkout is concerned. */
export interface CheckoutHost {
  /** False once the pool is closed, or the hooks are gone: then the driver decides alone. */
  readonly gating: boolean;
  /** The driver's own checkout. */
  checkOutStock(options: CheckOutOptions | undefined): Promise<Connection>;
  hold(lease: Lease, connection: Connection, operation: Operation): void;
  checkIn(connection: Connection): void;
}

/** One operation from its call until it has a connection, or knows that it gets none. */
export class Checkout extends Waiter {
  readonly #host: CheckoutHost;
  readonly #operation: Operation;
  readonly #options: CheckOutOptions | undefined;
  readonly #resolve: (connection: Connection | PromiseLike<Connection>) => void;
  readonly #reject: (reason: unknown) => void;

  constructor(
    host: CheckoutHost,
    operation: Operation,
    options: CheckOutOptions | undefined,
    resolve: (connection: Connection | PromiseLike<Connection>) => void,
    reject: (reason: unknown) => void,
  ) {
    super();
    this.#host = host;
    this.#operation = operation;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  granted(lease: Lease): void {
    // Gone when it was aborted, or its deadline passed, between the grant and this.
    if (this.state === 'settled') return lease.release();
    this.#host.checkOutStock(this.#options).then(
      (connection) => this.#arrived(lease, connection),
      (error: Error) => lease.fail(error),
    );
  }

  rejected(error: Error): void {
    // Those in line when the pool closes, or the hooks go, get what they would get without us.
    if (!this.#host.gating) this.#resolve(this.#host.checkOutStock(this.#options));
    // As the driver does, which may find the signal aborted before or after us.
    else if (isAcquireAbortedError(error)) this.#reject(error.cause);
    else this.#reject(asDriverError(error));
  }

  #arrived(lease: Lease, connection: Connection): void {
    this.#host.hold(lease, connection, this.#operation);
    if (lease.deliver()) this.#resolve(connection);
    // Its caller was told no on time; it becomes idle or serves the next in line.
    else this.#host.checkIn(connection);
  }
}
