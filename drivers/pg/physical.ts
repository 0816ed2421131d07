import { setImmediate } from 'node:timers';
import pg from 'pg';
import type { Pool, PoolConfig } from 'pg';
import { callUser } from '../../src/call-user.ts';
import { atEndOfTurn } from '../../src/clock.ts';
import { CLOSE_GRACE_MILLIS } from '../shared/end.ts';
import { Sockets } from '../shared/sockets.ts';
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
  /** Connected clients, until their socket is confirmed gone. */
  readonly #sockets = new Sockets<TrackedClient>(destroySocket);
  #dialing = 0;
  /** Checked-out clients that nobody has: released in this turn of the event loop. */
  #warm: CheckedOut[] = [];

  constructor(options: PoolConfig, limitMillis: number) {
    this.limitMillis = limitMillis;
    this.pool = new pg.Pool(boundHooks(options, limitMillis));
    this.pool.on('connect', (client) => this.#adopt(client));
    this.pool.on('remove', (client) => this.#sockets.gone(client as TrackedClient));
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
    this.#sockets.unpark();
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
    if (this.pool.totalCount < before) {
      this.closing(client);
      this.#sockets.whenGone(client, settled);
    } else {
      settled();
    }
    this.#sockets.unpark();
  }

  /** Room for a client that is not of the stock pool; an idle one of that has to go for it. */
  makeRoom(open: () => void): void {
    if (this.#hasRoom) return open();
    if (this.#warm.length > 0 || this.#hasIdle) {
      this.checkout((_, idle) => idle && this.checkin(idle, true, () => {}));
    }
    this.#sockets.park(() => this.#hasRoom, open);
  }

  /** A client that is not of the stock pool counts until `whenGone` is told. */
  adopt(client: TrackedClient, whenGone: () => void): () => void {
    this.#sockets.add(client);
    this.#sockets.whenGone(client, whenGone);
    return () => this.#sockets.gone(client);
  }

  /** Its holder ends it; one that hangs is destroyed. */
  closing(client: TrackedClient): void {
    this.#sockets.closing(client, CLOSE_GRACE_MILLIS);
  }

  /** Ends the stock pool; settles when the last socket is gone. */
  async end(): Promise<void> {
    this.#checkInWarm();
    await this.pool.end();
    await this.#sockets.ended(CLOSE_GRACE_MILLIS);
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
    this.#sockets.unpark();
  };

  /** An idle client awaits us, or there is room for one more socket. */
  #mayCheckOut(): boolean {
    return this.#hasIdle || this.#hasRoom;
  }

  get #hasRoom(): boolean {
    return this.#sockets.size + this.#dialing < this.pool.options.max;
  }

  get #hasIdle(): boolean {
    return this.pool.idleCount > this.pool.waitingCount;
  }

  #checkOut(arrival: Arrival): void {
    const dials = this.#hasIdle ? 0 : 1;
    this.#dialing += dials;
    const arrived = (error: Error | undefined, checkedOut: CheckedOut | undefined): void => {
      this.#dialing -= dials;
      arrival(error, checkedOut);
      this.#sockets.unpark();
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

  /** Idle clients that are being closed take the room until they are gone. */
  #park(arrival: Arrival): void {
    for (const client of this.#sockets) {
      if (client._ending) this.closing(client);
    }
    const mayGoOn = (): boolean => this.#warm.length > 0 || this.#mayCheckOut();
    this.#sockets.park(mayGoOn, () => this.checkout(arrival));
  }
}
