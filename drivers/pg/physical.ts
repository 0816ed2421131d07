import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import type { Pool, PoolConfig } from 'pg';
import { boundHooks } from './hooks.ts';
import { destroySocket, kLease, type Loan, type TrackedClient } from './client.ts';

/** Told the outcome of one checkout, exactly once. */
export type Arrival = (error: Error | undefined, loan: Loan | undefined) => void;

const ignore = (): void => {};

/** How long a socket that is being closed may take before it is destroyed. */
export const CLOSE_GRACE_MILLIS = 1000;

/**
 * The one stock `pg.Pool` behind all partitions. Its own queue stays empty, because a permit is
 * taken before each checkout. It opens a connection only when one fewer than `max` sockets exist,
 * counting those being opened and those being closed (I1).
 */
export class Physical {
  readonly pool: Pool;
  /** The longest a dial, an `onConnect` hook or a clean-up may keep a permit. */
  readonly limitMillis: number;
  /** Connected clients whose socket is not yet confirmed gone. */
  readonly #sockets = new Set<TrackedClient>();
  readonly #whenGone = new Map<TrackedClient, () => void>();
  #dialing = 0;
  /** Checkouts that wait for a closing socket to be gone before they may dial. */
  readonly #parked: (() => void)[] = [];
  #onEmpty: (() => void) | undefined = undefined;

  constructor(options: PoolConfig, limitMillis: number) {
    this.limitMillis = limitMillis;
    this.pool = new pg.Pool(boundHooks(options, limitMillis));
    this.pool.on('connect', (client) => this.#adopt(client));
    this.pool.on('remove', (client) => this.#gone(client as TrackedClient));
  }

  /** pg-pool's private list; only shown, never relied on. */
  get clients(): unknown {
    return (this.pool as unknown as { _clients: unknown })._clients;
  }

  /**
   * Whether a client may go from one lease to the next without being checked in. Not while the
   * stock pool has something to do at each check-in: count uses, retire old clients, end.
   */
  get allowsHandOver(): boolean {
    const { options, ending } = this.pool;
    return options.maxUses === Infinity && !options.maxLifetimeSeconds && !ending;
  }

  checkout(arrival: Arrival): void {
    if (this.#mayCheckOut()) this.#checkOut(arrival);
    else this.#park(arrival);
  }

  /**
   * Checks a client in, or closes it.
   * @param settled is called when the client is idle or its socket is gone; at once if it can be
   */
  checkin(loan: Loan, destroy: Error | boolean | undefined, settled: () => void): void {
    const { client } = loan;
    const before = this.pool.totalCount;
    loan.checkin(destroy);
    const closing = this.#sockets.has(client) && this.pool.totalCount < before;
    if (closing) this.#waitUntilGone(client, settled);
    else settled();
    this.#unpark();
  }

  /** Ends the stock pool; settles when the last socket is gone. */
  async end(): Promise<void> {
    await this.pool.end();
    if (this.#sockets.size === 0) return;
    const hurry = setTimeout(() => this.#sockets.forEach(destroySocket), CLOSE_GRACE_MILLIS);
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    clearTimeout(hurry);
  }

  /** Listeners for the client's whole life, so that their number does not grow with checkouts. */
  #adopt(client: TrackedClient): void {
    this.#sockets.add(client);
    // A borrower without an `error` listener must not end the process when its connection breaks:
    // it learns of it from its query, and the lease below is taken back.
    client.on('error', ignore);
    client.once('end', () => {
      const lease = client[kLease];
      // Not at once: a borrower that releases what broke under its hands is as right as ever.
      setImmediate(() => lease?.reclaim(new Error('the connection ended')));
    });
  }

  /** An idle client awaits us, or there is room for one more socket. */
  #mayCheckOut(): boolean {
    return this.#hasIdle() || this.#sockets.size + this.#dialing < this.pool.options.max;
  }

  #hasIdle(): boolean {
    return this.pool.idleCount > this.pool.waitingCount;
  }

  #checkOut(arrival: Arrival): void {
    const dials = this.#hasIdle() ? 0 : 1;
    this.#dialing += dials;
    const arrived = (error: Error | undefined, loan: Loan | undefined): void => {
      this.#dialing -= dials;
      arrival(error, loan);
      this.#unpark();
    };
    try {
      this.pool.connect((error, client, checkin) => {
        if (client) arrived(undefined, { client, checkin });
        else arrived(error ?? new Error('pg gave neither a client nor an error'), undefined);
      });
    } catch (error) {
      // The constructor of a client may throw, for instance on an unreadable certificate.
      arrived(error as Error, undefined);
    }
  }

  #park(arrival: Arrival): void {
    const hurry = setTimeout(() => this.#destroyClosing(), CLOSE_GRACE_MILLIS);
    // The socket belongs to the caller that dials it, not to the one whose socket made room.
    const scope = new AsyncResource('watertight.checkout');
    this.#parked.push(() => {
      clearTimeout(hurry);
      scope.runInAsyncScope(() => this.#checkOut(arrival));
    });
  }

  #unpark(): void {
    while (this.#parked.length > 0 && this.#mayCheckOut()) this.#parked.shift()?.();
  }

  #destroyClosing(): void {
    for (const client of this.#sockets) if (client._ending) destroySocket(client);
  }

  #waitUntilGone(client: TrackedClient, settled: () => void): void {
    const hurry = setTimeout(() => destroySocket(client), CLOSE_GRACE_MILLIS);
    this.#whenGone.set(client, () => {
      clearTimeout(hurry);
      settled();
    });
  }

  #gone(client: TrackedClient): void {
    this.#sockets.delete(client);
    this.#whenGone.get(client)?.();
    this.#whenGone.delete(client);
    this.#unpark();
    if (this.#sockets.size === 0) this.#onEmpty?.();
  }
}
