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
  readonly _closing?: boolean;
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

  constructor(pool: PartitionPool, connection: Connection, socket: net.Socket) {
    super();
    this.#pool = pool;
    this.#connection = connection as unknown as Inner & Connection;
    this.#socket = socket;
  }

  override granted(lease: Lease): void {
    const tracked = this.#connection as unknown as TrackedConnection;
    lease.connection = tracked;
    const { partition } = this.#pool;
    tracked[kLease] = {
      over: false,
      partition: partition.name,
      release: () => {},
      takeBack: (reason) => this.rejected(reason),
    };
    this.#pool.physical.makeRoom(() => this.#open(lease));
  }

  override rejected(error: Error): void {
    this.#connection.stream.destroy(error);
  }

  #open(lease: Lease): void {
    const connection = this.#connection;
    if (this.#socket.destroyed || connection._closing) {
      this.#socket.destroy();
      return lease.fail(new Error('the connection was ended before it was opened'));
    }
    const gone = this.#pool.physical.adopt(connection, () => this.#gone(lease));
    this.#socket.once('close', gone);
    connection.once('connect', () => lease.deliver());
    const { socketPath, host, port, enableKeepAlive, keepAliveInitialDelay } = connection.config;
    if (socketPath) this.#socket.connect(socketPath);
    else this.#socket.connect(port, host);
    this.#socket.setNoDelay(true);
    if (enableKeepAlive) this.#socket.setKeepAlive(true, keepAliveInitialDelay);
  }

  #gone(lease: Lease): void {
    lease.fail(new Error('the connection could not be opened'));
  }
}
