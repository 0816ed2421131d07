import { AsyncResource } from 'node:async_hooks';
import { callUser } from '../../src/call-user.ts';
import type { Lease } from '../../src/lease.ts';
import { Waiter } from '../../src/waiter.ts';

/**
 * One call for a connection, from the request for a permit to the callback. A driver says how a
 * connection is checked out and how it gets into the caller's hands.
 */
export abstract class Checkout<Connection> extends Waiter {
  /** The caller's async context (I10), where another call's may be current when we go on. */
  #scope: AsyncResource | undefined = undefined;
  /** The call has returned: from then on the callback may come at any moment. */
  returned = false;

  /** The permit has come without a connection: `arrived`, or `lease.fail`, is to follow. */
  protected abstract checkOut(lease: Lease): void;
  protected abstract handOut(lease: Lease, connection: Connection): void;
  /** The caller was told no; its connection serves whoever is next and is never delivered late. */
  protected abstract arrivedLate(lease: Lease, connection: Connection): void;
  protected abstract refuse(error: Error): void;

  /** To be called in the caller's own context. */
  captureContext(): void {
    this.#scope ??= new AsyncResource('watertight.connect');
  }

  override granted(lease: Lease, now?: number): void {
    const handedOver = lease.connection as Connection | undefined;
    if (handedOver) this.arrived(lease, handedOver, now);
    else this.#inScope(() => this.checkOut(lease));
  }

  override rejected(error: Error): void {
    const tell = (): void => this.#inScope(() => this.refuse(error));
    if (this.returned || this.tellsAtOnce(error)) tell();
    else process.nextTick(tell);
  }

  /** Errors that the driver tells its callers before their call has returned. */
  protected tellsAtOnce(error: Error): boolean {
    void error;
    return false;
  }

  protected arrived(lease: Lease, connection: Connection, now?: number): void {
    lease.connection = connection;
    if (lease.deliver(now)) this.#inScope(() => this.handOut(lease, connection));
    else this.arrivedLate(lease, connection);
  }

  #inScope(fn: () => void): void {
    const scope = this.#scope;
    callUser(scope ? () => scope.runInAsyncScope(fn) : fn);
  }
}
