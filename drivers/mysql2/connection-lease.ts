import type { Lease } from '../../src/lease.ts';
import { comeClean } from './come-clean.ts';
import {
  isBusy,
  isUsable,
  kLease,
  type ConnectionHolder,
  type TrackedConnection,
} from './connection.ts';
import type { Physical } from './physical.ts';
import { resetSession } from './reset.ts';

/** The partition that lends the connection. */
export interface LeaseHost {
  readonly name: string;
  readonly physical: Physical;
  /** Aborted when clean-ups have to come to an end. */
  readonly hurry: AbortController;
  /** Every session is reset when its holder is done. */
  readonly resetOnRelease: boolean;
  emitRelease(connection: TrackedConnection): void;
}

/**
 * One holder's hold on one connection, from its arrival to its release. mysql2's own `release`,
 * `destroy` and errors all end here, by the hooks of the physical pool.
 */
export class ConnectionLease implements ConnectionHolder {
  readonly #pool: LeaseHost;
  readonly #lease: Lease;
  readonly #connection: TrackedConnection;
  #over = false;

  constructor(pool: LeaseHost, lease: Lease, connection: TrackedConnection) {
    this.#pool = pool;
    this.#lease = lease;
    this.#connection = connection;
  }

  /** The holder has released or destroyed the connection, or lost it. */
  get over(): boolean {
    return this.#over;
  }

  get partition(): string {
    return this.#pool.name;
  }

  attach(): void {
    this.#connection[kLease] = this;
    this.#connection._released = false;
  }

  /** The holder gives the connection back, or it is gone. Nothing happens the second time. */
  release(): void {
    if (this.#over) return;
    this.#end();
    const connection = this.#connection;
    if (!isUsable(connection)) return this.#close(undefined);
    this.#pool.emitRelease(connection);
    // Nobody is going to read the rest of the rows, and the server would wait for ever.
    if (connection._paused) this.#close(new Error('released with a stream of rows not read'));
    // Not to be told from a command whose error is being told now; in the next tick it is.
    else if (isBusy(connection)) process.nextTick(() => this.#cleanUp());
    else this.#reset();
  }

  /** Cuts the connection off while its holder still has it. */
  takeBack(reason: Error): void {
    if (this.#over) return;
    this.#end();
    this.#close(reason);
  }

  #end(): void {
    this.#over = true;
    this.#connection[kLease] = undefined;
    this.#connection._released = true;
  }

  #cleanUp(): void {
    const connection = this.#connection;
    if (!isUsable(connection)) this.#close(undefined);
    else if (!isBusy(connection)) this.#reset();
    else {
      const { physical, hurry } = this.#pool;
      comeClean(connection, physical.limitMillis, hurry.signal, (error) => {
        if (error) this.#close(connection._paused ? error : undefined);
        else this.#reset();
      });
    }
  }

  #reset(): void {
    const { physical, resetOnRelease } = this.#pool;
    if (!resetOnRelease) return this.#passOn();
    resetSession(this.#connection, physical, (error) => {
      if (error) this.#close(error);
      else this.#passOn();
    });
  }

  /** Straight to the next waiter, or back to the pool, before the permit: it is found idle then. */
  #passOn(): void {
    if (!isUsable(this.#connection)) return this.#close(undefined);
    if (this.#lease.handOver()) return;
    this.#pool.physical.checkin(this.#connection);
    this.#lease.release();
  }

  /** The permit comes back when the socket is gone. */
  #close(reason: Error | undefined): void {
    this.#pool.physical.close(this.#connection, reason, () => this.#lease.release());
  }
}
