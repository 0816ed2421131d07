import mysql2 from 'mysql2';
import type { Connection, Pool, PoolConnection, PoolOptions } from 'mysql2';
import mysql2Promise from 'mysql2/promise';
import type {
  Connection as PromiseConnection,
  Pool as PromisePool,
  PoolConnection as PromisePoolConnection,
} from 'mysql2/promise';
import type { Query } from './query.ts';

// What mysql2 exports at run time and does not declare, and what we use of its inside.

/** One of mysql2's queues of connections. */
interface Queue<T> {
  readonly length: number;
  get(index: number): T | undefined;
  push(connection: T): void;
  pop(): T | undefined;
  removeOne(index: number): T | undefined;
}

/** A pool's configuration; its own pools read it at each use, so changes of it count. */
export interface StockConfig {
  readonly connectionConfig: PoolOptions & { pool: unknown; readonly charsetNumber: number };
  connectionLimit: number;
  readonly maxIdle: number;
  resetOnRelease?: boolean;
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

type PromisePoolClass = (new (
  pool: Pool,
  promise?: PromiseConstructor,
) => PromisePool & { readonly Promise: PromiseConstructor }) & { readonly prototype: PromisePool };

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

/** A query that is not sent yet. */
export const createQuery = (
  sql: unknown,
  values: unknown,
  callback: unknown,
  config: unknown,
): Query =>
  (mysql2 as unknown as { createQuery(...args: unknown[]): Query }).createQuery(
    sql,
    values,
    callback,
    config,
  );

export const stockExits = <C>(): Exits<C> => StockPool.prototype as unknown as Exits<C>;

const isQueue = (found: unknown): boolean =>
  typeof Reflect.get(Object(found), 'get') === 'function';
const isFunction = (found: unknown): boolean => typeof found === 'function';

/** What we need of a pool besides its documented methods. */
const NEEDED: Readonly<Record<string, (found: unknown) => boolean>> = {
  releaseConnection: isFunction,
  _removeConnection: isFunction,
  _allConnections: isQueue,
  _freeConnections: isQueue,
};

/** @throws when this version of mysql2 is not built as those that were tried. */
export function checkStock(pool: object): void {
  const missing = Object.entries(NEEDED)
    .filter(([name, isThere]) => !isThere(Reflect.get(pool, name)))
    .map(([name]) => name);
  if (missing.length === 0) return;
  throw new Error(
    `watertight/mysql2 does not know this version of mysql2: its pool has no ` +
      `${missing.join(', ')}; 3.6.0 to 3.24 are known to work`,
  );
}
