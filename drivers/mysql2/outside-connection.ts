import { AsyncResource } from 'node:async_hooks';
import net from 'node:net';
import mysql2 from 'mysql2';
import type { Connection, ConnectionOptions } from 'mysql2';
import { Faults } from '../../src/config.ts';
import type { Lease } from '../../src/lease.ts';
import { Waiter } from '../../src/waiter.ts';
import { kLease, type TrackedConnection } from './connection.ts';
import type { PartitionPool } from './partition-pool.ts';

/** What mysql2 knows of a connection and does not declare. */
interface Inner {
  readonly stream: net.Socket;
  readonly config: {
    readonly socketPath?: string;
    readonly host: string;
    readonly port: number;
    readonly enableKeepAlive?: boolean;
    readonly keepAliveInitialDelay?: number;
  };
}

/**
 * A connection of `createConnection` that holds a permit of the partition until it is gone. It is
 * there at once, as in mysql2; its socket is opened when the permit has come.
 * @throws `ERR_CONFIG` for a `stream`, which would be opened before.
 */
export function openOutside(pool: PartitionPool, config: string | ConnectionOptions): Connection {
  const options = typeof config === 'string' ? { uri: config } : { ...config };
  if (options.stream !== undefined) {
    const faults = new Faults();
    faults.add('stream', 'expected none: a connection of a partition is opened when it is due');
    faults.throwIfAny();
  }
  const socket = new net.Socket();
  const connection = mysql2.createConnection({ ...options, stream: () => socket });
  pool.partition.enter(new OutsideCheckout(pool, connection, socket), undefined);
  return connection;
}

class OutsideCheckout extends Waiter {
  readonly #pool: PartitionPool;
  readonly #connection: Inner & Connection;
  readonly #socket: net.Socket;
  /** The caller's: another call's is current when the permit has come (I10). */
  readonly #scope = new AsyncResource('watertight.connect');

  constructor(pool: PartitionPool, connection: Connection, socket: net.Socket) {
    super();
    this.#pool = pool;
    this.#connection = connection as unknown as Inner & Connection;
    this.#socket = socket;
  }

  override granted(lease: Lease): void {
    const { partition, physical } = this.#pool;
    const handedOver = lease.connection as TrackedConnection | undefined;
    if (handedOver) physical.checkin(handedOver);
    const tracked = this.#connection as unknown as TrackedConnection;
    lease.connection = tracked;
    tracked[kLease] = {
      over: false,
      partition: partition.name,
      release: () => {},
      takeBack: (reason) => this.rejected(reason),
    };
    if (this.#isEnded) this.#fail(lease);
    else physical.makeRoom(() => this.#scope.runInAsyncScope(() => this.#open(lease)));
  }

  override rejected(error: Error): void {
    // Whoever has ended it is not told of it, and may have no listener.
    this.#connection.stream.destroy(this.#isEnded ? undefined : error);
  }

  /** mysql2 only ends its stream, also in `destroy`; one that is not connected yet stays open. */
  get #isEnded(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  #open(lease: Lease): void {
    if (this.#isEnded) return this.#fail(lease);
    const connection = this.#connection;
    const gone = this.#pool.physical.adopt(connection, () => this.#fail(lease));
    this.#socket.once('close', gone);
    connection.once('connect', () => lease.deliver());
    const { socketPath, host, port, enableKeepAlive, keepAliveInitialDelay } = connection.config;
    if (socketPath) this.#socket.connect(socketPath);
    else this.#socket.connect(port, host);
    this.#socket.setNoDelay(true);
    if (enableKeepAlive) this.#socket.setKeepAlive(true, keepAliveInitialDelay);
  }

  #fail(lease: Lease): void {
    lease.fail(new Error('the connection could not be opened'));
  }
}
