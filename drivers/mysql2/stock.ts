import mysql2 from 'mysql2';
import type { Connection, Pool, PoolConnection, PoolOptions } from 'mysql2';
import mysql2Promise from 'mysql2/promise';
import type {
  Connection as PromiseConnection,
  Pool as PromisePool,
  PoolConnection as PromisePoolConnection,
} from 'mysql2/promise';

// What mysql2 exports at run time and does not declare, and what we use of its inside.

/** One of mysql2's queues of connections. */
interface Queue<T> {
  readonly length: number;
  get(index: number): T | undefined;
  push(connection: T): void;
  removeOne(index: number): T | undefined;
}

/** A pool's configuration; its own pools read it at each use, so changes of it count. */
export interface StockConfig {
  readonly connectionConfig: PoolOptions & { pool: unknown; readonly charsetNumber: number };
  connectionLimit: number;
  readonly maxIdle: number;
  readonly resetOnRelease?: boolean;
}

/** What every way by which a connection leaves its holder leads to. */
interface Exits<One> {
  releaseConnection(connection: One): void;
  _removeConnection(connection: One): void;
}

/** A stock pool as it is at run time. */
export type InnerPool<One> = Omit<Pool, 'config' | 'releaseConnection'> &
  Exits<One> & {
    config: StockConfig;
    _closed: boolean;
    readonly _allConnections: Queue<One>;
    readonly _freeConnections: Queue<One>;
  };

type PoolClass = (new (options: { config: unknown }) => Pool) & { readonly prototype: Pool };

type PromisePoolClass = new (
  pool: Pool,
  promise?: PromiseConstructor,
) => PromisePool & { readonly Promise: PromiseConstructor };

type PromisePoolConnectionClass = (new (
  connection: PoolConnection,
  promise?: PromiseConstructor,
) => PromisePoolConnection & { readonly Promise: PromiseConstructor }) & {
  readonly prototype: PromisePoolConnection;
};

export const StockPool: PoolClass = (mysql2 as unknown as { Pool: PoolClass }).Pool;

export const StockPromisePool: PromisePoolClass = (
  mysql2Promise as unknown as { PromisePool: PromisePoolClass }
).PromisePool;

export const StockPromisePoolConnection: PromisePoolConnectionClass = (
  mysql2Promise as unknown as { PromisePoolConnection: PromisePoolConnectionClass }
).PromisePoolConnection;

export const StockPromiseConnection: new (
  connection: Connection,
  promise?: PromiseConstructor,
) => PromiseConnection = (mysql2Promise as unknown as { PromiseConnection: never })
  .PromiseConnection;

/** The options in a connection URL, as mysql2 reads them. */
export const parseUrl = (url: string): PoolOptions =>
  (
    mysql2 as unknown as { ConnectionConfig: { parseUrl(url: string): PoolOptions } }
  ).ConnectionConfig.parseUrl(url);

export const stockExits = <C>(): Exits<C> => StockPool.prototype as unknown as Exits<C>;

/** @throws when this version of mysql2 is not built as those that were tried. */
export function checkStock(pool: object): void {
  const needed = { ...NEEDED };
  const missing = Object.entries(needed).filter(([name, type]) => {
    const found: unknown = Reflect.get(pool, name);
    return type === 'queue'
      ? typeof Reflect.get(found ?? {}, 'get') !== 'function'
      : typeof found !== type;
  });
  if (missing.length === 0) return;
  throw new Error(
    `watertight/mysql2 does not know this version of mysql2: its pool has no ` +
      `${missing.map(([name]) => name).join(', ')}; use a version from 3.6.0 that is in the peerDependencies`,
  );
}

const NEEDED = {
  releaseConnection: 'function',
  _removeConnection: 'function',
  _allConnections: 'queue',
  _freeConnections: 'queue',
} as const;
