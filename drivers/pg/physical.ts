import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers';
import pg from 'pg';
import type { Pool, PoolConfig } from 'pg';
import { callUser } from '../../src/call-user.ts';
import { atEndOfTurn } from '../../src/clock.ts';
import { CLOSE_GRACE_MILLIS } from '../shared/end.ts';
import { boundHooks } from './hooks.ts';
import { destroySocket, isUsable, kLease, type CheckedOut, type TrackedClient } from './client.ts';

/**
 * `using` asks for it once, at its beginning: it then belongs to the lease of that moment. One for
 * all clients: each with a getter of its own would have a shape of its own, and pg were slower.
 */
const disposer: PropertyDescriptor = {
  configurable: true,
  get(this: TrackedClient) {
    const lease = this[kLease];
    return () => lease?.dispose();
  },
};

/** Told the outcome of one checkout, exactly once. */
export type Arrival = (error: Error | undefined, checkedOut: CheckedOut | undefined) => void;

/** Who closes idle clients as fast as that means it; they are checked in at once. */
const SHORT_IDLE_MILLIS = 100;

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
  /** Checked-out clients that nobody has: released in this turn of the event loop. */
  #warm: CheckedOut[] = [];
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

  /** Clients that nobody has. */
  get idleCount(): number {
    return this.pool.idleCount + this.#warm.length;
  }

  /**
   * Keeps a clean client at hand until the end of this turn of the event loop. Whoever comes in the
   * same turn, as a caller does that has just had its answer, gets it without the timers and the
   * queue of the stock pool; otherwise it is checked in then.
   */
  keepWarm(checkedOut: CheckedOut): void {
    const { idleTimeoutMillis } = this.pool.options;
    if (idleTimeoutMillis && idleTimeoutMillis < SHORT_IDLE_MILLIS) checkedOut.checkin();
    else this.#keep(checkedOut);
    this.#unpark();
  }

  #keep(checkedOut: CheckedOut): void {
    if (this.#warm.length === 0) atEndOfTurn(this.#checkInWarm);
    this.#warm.push(checkedOut);
  }

  takeWarm(): CheckedOut | undefined {
    let checkedOut = this.#warm.pop();
    while (checkedOut && !isUsable(checkedOut.client)) {
      checkedOut.checkin(true);
      checkedOut = this.#warm.pop();
    }
    return checkedOut;
  }

  checkout(arrival: Arrival): void {
    const checkedOut = this.takeWarm();
    if (checkedOut) arrival(undefined, checkedOut);
    else if (this.#mayCheckOut()) this.#checkOut(arrival);
    else this.#park(arrival);
  }

  /**
   * Checks a client in, or closes it.
   * @param settled is called when the client is idle or its socket is gone; at once if it can be
   */
  checkin(checkedOut: CheckedOut, destroy: Error | boolean | undefined, settled: () => void): void {
    const { client } = checkedOut;
    const before = this.pool.totalCount;
    checkedOut.checkin(destroy);
    const closing = this.#sockets.has(client) && this.pool.totalCount < before;
    if (closing) this.#waitUntilGone(client, settled);
    else settled();
    this.#unpark();
  }

  /** Ends the stock pool; settles when the last socket is gone. */
  async end(): Promise<void> {
    this.#checkInWarm();
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
    // A holder without an `error` listener must not end the process when its connection breaks:
    // it learns of it from its query, and the lease below is taken back.
    client.on('error', (error) => this.#broke(client, error));
    Object.defineProperty(client, Symbol.dispose, disposer);
    client.once('end', () => {
      const lease = client[kLease];
      // Not at once: a holder that releases what broke under its hands is as right as ever.
      setImmediate(() => lease?.takeBack(new Error('the connection ended')));
    });
  }

  /** The stock pool does not look after a client that it believes to be out. */
  #broke(client: TrackedClient, error: Error): void {
    const checkedOut = this.#warm.find((one) => one.client === client);
    if (!checkedOut) return;
    this.#warm.splice(this.#warm.indexOf(checkedOut), 1);
    checkedOut.checkin(error);
    this.pool.emit('error', error, client);
  }

  readonly #checkInWarm = (): void => {
    if (this.#warm.length === 0) return;
    const clients = this.#warm;
    this.#warm = [];
    for (const { checkin } of clients) callUser(() => checkin());
    this.#unpark();
  };

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
    const arrived = (error: Error | undefined, checkedOut: CheckedOut | undefined): void => {
      this.#dialing -= dials;
      arrival(error, checkedOut);
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
      scope.runInAsyncScope(() => this.checkout(arrival));
    });
  }

  #unpark(): void {
    while (this.#parked.length > 0 && (this.#warm.length > 0 || this.#mayCheckOut())) {
      this.#parked.shift()?.();
    }
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
