import type { EventEmitter } from 'node:events';
import type { Client, PoolClient } from 'pg';

export const kLease: unique symbol = Symbol('watertight.lease');
export const kSeenBy: unique symbol = Symbol('watertight.seenBy');
export const kHome: unique symbol = Symbol('watertight.home');

/** Whoever has a client now, as far as the client is concerned. */
interface ClientHolder {
  /** Takes the lease back while the holder still has it. */
  takeBack(reason: Error): void;
  dispose(): void;
}

/**
 * A client of the physical pool with what we remember of it. Symbol properties, never a proxy:
 * libraries key their own state on the identity of the client.
 */
export interface TrackedClient extends PoolClient {
  /** The current lease's own function. */
  release: (destroy?: Error | boolean) => void;
  /** Whoever has it now. */
  [kLease]?: ClientHolder | undefined;
  /** The partitions that have emitted `connect` for it. */
  [kSeenBy]?: EventEmitter[];
  /** The partition that used it last: where an idle error belongs. */
  [kHome]?: EventEmitter;
  /** False while a query runs, undefined before the first; absent in the native client. */
  readonly readyForQuery?: boolean | null;
  readonly processID?: number;
  /** What pg-pool itself looks at before it keeps a client. */
  readonly _queryable?: boolean;
  readonly _ending?: boolean;
}

/** A client checked out of the physical pool, with the function that checks it in. */
export interface CheckedOut {
  readonly client: TrackedClient;
  readonly checkin: (destroy?: Error | boolean) => void;
}

/** Ends a connection without waiting for the server to say goodbye; not in the native client. */
export const destroySocket = (client: TrackedClient): void => {
  const connection: Client['connection'] | undefined = client.connection;
  connection?.stream.destroy();
};

/** True when the connection can go on living after this release. */
export const isUsable = (client: TrackedClient): boolean =>
  client._queryable !== false && client._ending !== true;

/** A query runs, or a cursor or a COPY is still open. */
export const isBusy = (client: TrackedClient): boolean => client.readyForQuery === false;

export const inTransaction = (client: TrackedClient): boolean => {
  // I: idle, T: in a transaction, E: in a failed one. pg has it since 8.21.
  const known = typeof client.getTransactionStatus === 'function';
  const status = known ? client.getTransactionStatus() : undefined;
  return status === 'T' || status === 'E';
};

/** False while the last holder's query runs or its transaction is open. */
export const isClean = (client: TrackedClient): boolean =>
  !isBusy(client) && !inTransaction(client);
