import net from 'node:net';
import pg from 'pg';
import type { ClientConfig } from 'pg';
import { Faults } from '../../src/config.ts';
import type { Lease } from '../../src/lease.ts';
import { Checkout } from '../shared/checkout.ts';
import { withOwn } from '../shared/with-own.ts';
import { kLease, type CheckedOut, type TrackedClient } from './client.ts';
import type { PartitionPool } from './partition-pool.ts';

/**
 * pg's `Client`, as a class whose clients each hold a permit of the partition from `connect` until
 * their connection is gone.
 */
export function leaseClientOf(pool: PartitionPool): typeof pg.Client {
  return class LeaseClient extends pg.Client {
    /**
     * @throws `ERR_CONFIG` for a `stream`, which would be opened before the permit has come; an error
     * with `NODE_PG_FORCE_NATIVE`, since native clients open their connections themselves.
     */
    constructor(given?: string | ClientConfig) {
      const config = typeof given === 'string' ? { connectionString: given } : (given ?? {});
      checkStream(config);
      const socket = new LeaseSocket();
      // Not by `...`: pg hides the password in the options of its pools from enumeration.
      super(withOwn(config, { stream: () => socket }));
      if (this.connection?.stream !== socket) throw new Error(nativeIsRefused);
      socket.whenDue = (open) => {
        const opening = new ClientOpening(pool, this as unknown as TrackedClient, socket, open);
        opening.captureContext();
        pool.partition.enter(opening, undefined);
        opening.returned = true;
      };
      // As with the clients of the pool: whoever has it learns of it from its query.
      this.on('error', () => {});
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | void {
      pool.physical.closing(this as unknown as TrackedClient);
      return callback ? super.end(callback) : super.end();
    }
  };
}

const nativeIsRefused = 'a native client would open its connection beside the partition';

function checkStream(config: ClientConfig & { readonly connection?: unknown }): void {
  const faults = new Faults();
  for (const name of ['stream', 'connection'] as const) {
    if (config[name] === undefined) continue;
    faults.add(name, 'expected none: a client of a partition opens its connection when it is due');
  }
  faults.throwIfAny();
}

/** A socket that pg connects at once, and that is opened when it is due. */
class LeaseSocket extends net.Socket {
  whenDue: (open: () => void) => void = (open) => open();

  override connect(...address: unknown[]): this {
    this.whenDue(() => super.connect(...(address as [never])));
    return this;
  }
}

/** One `connect` of a client, from the request for a permit to the end of the connection. */
class ClientOpening extends Checkout<CheckedOut> {
  readonly #pool: PartitionPool;
  readonly #client: TrackedClient;
  readonly #socket: net.Socket;
  readonly #open: () => void;

  constructor(pool: PartitionPool, client: TrackedClient, socket: net.Socket, open: () => void) {
    super();
    this.#pool = pool;
    this.#client = client;
    this.#socket = socket;
    this.#open = open;
  }

  /** A client of the pool that comes with the permit is of no use here. */
  override granted(lease: Lease, now?: number): void {
    const handedOver = lease.connection as CheckedOut | undefined;
    if (handedOver) this.#pool.physical.keepWarm(handedOver);
    lease.connection = undefined;
    super.granted(lease, now);
  }

  protected override checkOut(lease: Lease): void {
    this.#pool.physical.makeRoom(() => this.#openWith(lease));
  }

  protected override handOut(): void {
    const takeBack = (reason: Error): void => void this.#socket.destroy(reason);
    this.#client[kLease] = { takeBack, dispose: () => {} };
  }

  protected override arrivedLate(): void {
    this.#socket.destroy();
  }

  /** What the holder of the client is told, by pg itself. */
  protected override refuse(error: Error): void {
    this.#socket.destroy(error);
  }

  #openWith(lease: Lease): void {
    if (this.#socket.destroyed) {
      return lease.fail(new Error('the connection was ended before it was opened'));
    }
    const client = this.#client;
    const gone = this.#pool.physical.adopt(client, () => {
      lease.fail(new Error('the connection could not be opened'));
    });
    this.#socket.once('close', gone);
    client.once('connect', () => this.arrived(lease, { client, checkin: () => {} }));
    this.#open();
  }
}
