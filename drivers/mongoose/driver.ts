import type { EventEmitter } from 'node:events';

// What is used of the driver `mongodb` beyond its documented API: the same from 6.13 to 7.9. Nothing
// is imported from it: mongoose brings its own copy, and a process may have several.

/** A physical connection. */
export interface Connection {
  readonly id: number | string;
  /** Closes this one connection; its command fails with the error. */
  onError(error: Error): void;
}

export interface CheckOutOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The connections to one server. */
export interface Pool {
  readonly address: string;
  readonly closed: boolean;
  checkOut: (options?: CheckOutOptions) => Promise<Connection>;
  checkIn: (connection: Connection) => void;
}

/** One member of a deployment. */
export interface Server {
  readonly pool: Pool;
  /** Every command of a user, and nothing else, goes through here; it checks out in the same turn. */
  command: (...args: unknown[]) => Promise<unknown>;
}

export interface Session {
  /** The client, or the facade of it, on which the session was started. */
  readonly client: object;
  /** False when the driver started it for one operation or cursor. */
  readonly explicit: boolean;
  readonly id?: object;
  readonly hasEnded: boolean;
  /** In load-balanced mode a session keeps its connection while a cursor or transaction is open. */
  readonly pinnedConnection?: Connection | undefined;
  readonly transaction: { readonly isStarting: boolean };
  inTransaction(): boolean;
}

export interface Client extends EventEmitter {
  readonly options: {
    readonly maxPoolSize?: number;
    readonly minPoolSize?: number;
    readonly maxConnecting?: number;
    readonly waitQueueTimeoutMS?: number;
    /** A promise from 7 on. */
    readonly metadata?: { readonly driver?: { readonly version?: string } };
  };
  /** Undefined until the client connects. */
  readonly topology?: { readonly s: { readonly servers: ReadonlyMap<string, Server> } } | undefined;
  db(name: string): { command(command: object): Promise<unknown> };
  close(): Promise<void>;
}

/** What holds a permit, in the words of the driver: kept on the lease, shown in errors. */
export interface Held {
  readonly connection: Connection;
  readonly operation: {
    readonly name: string;
    /** Says the database and collection. */
    readonly ns: unknown;
    readonly session?: Session;
  };
}

/** The first driver whose pool gives a promise and takes an abort signal, in mongoose 8.10. */
const OLDEST = [6, 13] as const;

export class UnsupportedDriverError extends Error {
  constructor(found: string) {
    super(
      `watertight/mongoose: unsupported mongodb driver: ${found}; expected mongodb 6.13 to 7, as in ` +
        `mongoose 8.10 or newer and mongoose 9`,
    );
    this.name = 'UnsupportedDriverError';
  }
}

/** @throws `UnsupportedDriverError` for what is no client, or one that is too old. */
export function checkClient(client: Client): void {
  if (typeof client?.on !== 'function' || typeof client.options !== 'object') {
    throw new UnsupportedDriverError('this is not a MongoClient');
  }
  const version = client.options.metadata?.driver?.version;
  const [major = 0, minor = 0] = version?.split(/[.|]/).map(Number) ?? [];
  const [oldestMajor, oldestMinor] = OLDEST;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (version !== undefined && isOld) throw new UnsupportedDriverError(`version ${version}`);
  for (const server of client.topology?.s.servers.values() ?? []) checkServer(server);
}

/** @throws `UnsupportedDriverError` when the functions that are to be hooked are not there. */
export function checkServer(server: Server): void {
  const missing = [
    typeof server?.command === 'function' ? '' : 'server.command',
    typeof server?.pool?.checkOut === 'function' ? '' : 'pool.checkOut',
    typeof server?.pool?.checkIn === 'function' ? '' : 'pool.checkIn',
  ].filter((name) => name !== '');
  if (missing.length > 0) throw new UnsupportedDriverError(`it has no ${missing.join(', ')}`);
}
