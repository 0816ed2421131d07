import type { EventEmitter } from 'node:events';
import { tracingChannel } from 'node:diagnostics_channel';
import mysql2 from 'mysql2';
import type { ResolvedPoolOptions } from './config.ts';
import { CLOSE_GRACE_MILLIS } from '../shared/end.ts';
import { Sockets } from '../shared/sockets.ts';
import {
  disposer,
  isBusy,
  isUsable,
  kHome,
  kLease,
  settleCommands,
  type TrackedConnection,
} from './connection.ts';
import { checkStock, StockPool, stockExits, type InnerPool, type StockConfig } from './stock.ts';

/** Told the outcome of one checkout, exactly once. */
export type Arrival = (error: Error | undefined, connection: TrackedConnection | undefined) => void;

/** Anything that is connected to the server: `stream.destroy` ends it at once. */
export interface Connected {
  readonly stream: { destroy(error?: Error): unknown };
}

/** How each session begins. */
interface Session {
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** mysql2's number of a collation. */
  readonly charsetNumber: number;
}

/**
 * The one stock pool behind all partitions. Its own queue stays empty, because a permit is taken
 * before each checkout. It opens a connection only when one fewer than `connectionLimit` sockets
 * exist, counting those being opened and those being closed (I1).
 */
export class Physical {
  readonly pool: InnerPool<TrackedConnection>;
  /** The options as the user's programs see and change them. */
  readonly config: StockConfig;
  /** How each session begins; in older versions of mysql2 holders can change the configuration. */
  readonly session: Session;
  /** The longest a dial, a reset or a clean-up may keep a permit. */
  readonly limitMillis: number;
  readonly #sockets = new Sockets<Connected>((socket) => {
    socket.stream.destroy(new Error('the connection did not close in time'));
  });
  /** Connections on their way, whose callers are not told yet. */
  readonly #dials = new Map<TrackedConnection, (error: Error) => void>();

  /** @throws when this version of mysql2 lacks what is needed here. */
  constructor({ stock, limitMillis, resetOnRelease }: ResolvedPoolOptions) {
    this.limitMillis = limitMillis;
    this.pool = mysql2.createPool(stock) as unknown as InnerPool<TrackedConnection>;
    checkStock(this.pool);
    this.config = this.pool.config;
    this.config.resetOnRelease = resetOnRelease;
    const { user, database, charsetNumber } = this.config.connectionConfig;
    this.session = Object.freeze({ user, database, charsetNumber });
    // Sessions are reset by us, with a limit of time, before a connection is checked in.
    this.pool.config = Object.create(this.config, {
      resetOnRelease: { value: false },
    }) as StockConfig;
    this.#hookExits();
  }

  get hasIdle(): boolean {
    return this.pool._freeConnections.length > 0;
  }

  /** What the stock pool would give, without its detour; unless somebody follows how it does that. */
  takeIdle(home: EventEmitter): TrackedConnection | undefined {
    if (!this.hasIdle) return undefined;
    this.#bringToTheEnd(home);
    if (isFollowed()) return undefined;
    let connection = this.pool._freeConnections.pop();
    // It may have broken since it became idle.
    while (connection && !isUsable(connection)) connection = this.pool._freeConnections.pop();
    return connection;
  }

  /** @param home the partition it is for: one that it used last is taken first */
  checkout(home: EventEmitter, arrival: Arrival): void {
    const idle = this.takeIdle(home);
    if (idle) arrival(undefined, idle);
    else if (this.#mayCheckOut()) this.#checkOut(home, arrival);
    else this.#sockets.park(this.#mayCheckOut, () => this.checkout(home, arrival));
  }

  /** Back among the idle connections of the stock pool. */
  checkin(connection: TrackedConnection): void {
    stockExits<TrackedConnection>().releaseConnection.call(this.pool, connection);
    this.#sockets.unpark();
  }

  /**
   * Closes a connection. A command that still runs on the server is waited for, since the server
   * would otherwise have more to do at once than `connectionLimit`.
   * @param reason cuts it off at once: it is what commands on the connection are told
   * @param settled is called when the socket is gone
   */
  close(connection: TrackedConnection, reason: Error | undefined, settled: () => void): void {
    if (reason) cutOff(connection, reason);
    else if (connection._pool) connection.destroy();
    this.#closing(connection);
    this.#sockets.whenGone(connection, settled);
  }

  /** Room for a connection that is not of the stock pool; an idle one of that has to go for it. */
  makeRoom(open: () => void): void {
    if (this.#hasRoom) return open();
    this.pool._freeConnections.get(0)?.destroy();
    this.#sockets.park(() => this.#hasRoom, open);
  }

  /** A connection that is not of the stock pool counts until `whenGone` is told. */
  adopt(connection: Connected, whenGone: () => void): () => void {
    this.#sockets.add(connection);
    this.#sockets.whenGone(connection, whenGone);
    return () => this.#sockets.gone(connection);
  }

  /** Ends the stock pool; settles when the last socket is gone. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.pool.end(() => resolve()));
    await this.#sockets.ended(CLOSE_GRACE_MILLIS);
  }

  get #hasRoom(): boolean {
    return this.#sockets.size < this.pool.config.connectionLimit;
  }

  /** Every way by which a connection leaves its holder leads through one of these two. */
  #hookExits(): void {
    const { pool } = this;
    // Whoever releases what is not leased, a second time for instance, releases nothing.
    pool.releaseConnection = (connection) => connection[kLease]?.release();
    pool._removeConnection = (connection) => {
      stockExits<TrackedConnection>()._removeConnection.call(pool, connection);
      // The stock pool's own callback comes first, with its own error, if it comes.
      process.nextTick(() => this.#dials.get(connection)?.(destroyedWhileConnecting()));
      this.#closing(connection);
    };
  }

  #closing(connection: TrackedConnection): void {
    this.#sockets.closing(connection, isBusy(connection) ? this.limitMillis : CLOSE_GRACE_MILLIS);
  }

  readonly #mayCheckOut = (): boolean => this.hasIdle || this.#hasRoom;

  #checkOut(home: EventEmitter, arrival: Arrival): void {
    const known = this.#newest();
    let dialled: TrackedConnection | undefined;
    let told = false;
    const tell: Arrival = (error, connection) => {
      if (told) return;
      told = true;
      if (dialled) this.#dials.delete(dialled);
      if (connection) this.#arrived(connection, home, arrival);
      else arrival(error, undefined);
      this.#sockets.unpark();
    };
    try {
      this.pool.getConnection((error, connection) => {
        if (error) return tell(error, undefined);
        const arrived = connection as unknown as TrackedConnection;
        this.#watchStream(arrived);
        // Out of mysql2's handling of the handshake, in which the connection is busy yet.
        process.nextTick(tell, undefined, arrived);
      });
    } catch (error) {
      // The constructor of a connection may throw, for instance on an unreadable certificate.
      tell(error as Error, undefined);
    }
    const newest = this.#newest();
    if (newest === known || newest === undefined || told) return;
    dialled = newest;
    this.#dials.set(dialled, (error) => tell(error, undefined));
    Object.defineProperty(dialled, Symbol.dispose, disposer);
    this.#sockets.add(dialled);
    this.#watchStream(dialled);
  }

  #arrived(connection: TrackedConnection, home: EventEmitter, arrival: Arrival): void {
    // It may have broken between its being idle and this.
    if (isUsable(connection)) arrival(undefined, connection);
    else this.checkout(home, arrival);
  }

  /** mysql2 takes the last of its idle connections; one of another partition would need a reset. */
  #bringToTheEnd(home: EventEmitter): void {
    const { _freeConnections: free } = this.pool;
    for (let i = free.length - 1; i >= 0; i--) {
      if (free.get(i)?.[kHome] !== home) continue;
      if (i < free.length - 1) free.push(free.removeOne(i) as TrackedConnection);
      return;
    }
  }

  #newest(): TrackedConnection | undefined {
    const { _allConnections: all } = this.pool;
    return all.length > 0 ? all.get(all.length - 1) : undefined;
  }

  /** Also once more when it has arrived: with TLS its stream is another one then. */
  #watchStream(connection: TrackedConnection): void {
    const { stream } = connection;
    if (watched.has(stream)) return;
    watched.add(stream);
    stream.once('close', () => {
      // With TLS the stream below is closed, too, before or after the one that counts.
      if (connection.stream !== stream) return;
      if (connection.authorized) settleCommands(connection, reasonOf(connection));
      this.#sockets.gone(connection);
    });
  }
}

const watched = new WeakSet<object>();

const getConnection = (): unknown => Reflect.get(StockPool.prototype, 'getConnection');
const stockGetConnection = getConnection();
const channel = tracingChannel('mysql2:pool:connect');

/** Tracers listen to mysql2's channel, or wrap its method. */
const isFollowed = (): boolean =>
  channel.start.hasSubscribers || channel.hasSubscribers || getConnection() !== stockGetConnection;

/** What runs on it is told the reason at once, also when the server has fallen silent. */
function cutOff(connection: TrackedConnection, reason: Error): void {
  // mysql2 has one listener, for one error; a command added later would be a second.
  connection.on('error', () => {});
  connection.stream.destroy(reason);
}

const destroyedWhileConnecting = (): Error =>
  new Error('the connection was destroyed while it was being opened');

/** Why a connection is gone, as far as mysql2 was told. */
function reasonOf({ _fatalError, _protocolError }: TrackedConnection): Error {
  if (_fatalError ?? _protocolError) return (_fatalError ?? _protocolError) as Error;
  return Object.assign(new Error('Connection lost: The connection was closed.'), {
    code: 'PROTOCOL_CONNECTION_LOST',
    fatal: true,
  });
}
