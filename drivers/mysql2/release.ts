import type { Pool, PoolConnection } from 'mysql2';
import type { PoolConnection as PromisePoolConnection } from 'mysql2/promise';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import type { ConnectionCallback } from './checkout.ts';
import { kLease, type TrackedConnection } from './connection.ts';
import { StockPromisePoolConnection } from './stock.ts';

/** Whoever has the connection now, or nobody. */
export const holderOf = (connection: unknown): TrackedConnection[typeof kLease] =>
  (connection as TrackedConnection)[kLease];

/** What a pool's `releaseConnection` is given: either face of a connection. */
export function releaseAny(connection: PoolConnection | PromisePoolConnection): void {
  if (connection instanceof StockPromisePoolConnection) connection.release();
  else holderOf(connection)?.release();
}

interface Lending extends Omit<Pool, 'getConnection'> {
  getConnection(callback: ConnectionCallback, options?: AcquireOptions): void;
}

/** Gives back what it has taken, and never what somebody else has by then. */
export async function withConnection<T>(
  pool: Lending,
  fn: (connection: PoolConnection) => T | PromiseLike<T>,
  options: AcquireOptions | undefined,
): Promise<T> {
  const connection = await new Promise<PoolConnection>((resolve, reject) => {
    pool.getConnection((error, given) => (error ? reject(error) : resolve(given)), options);
  });
  const holder = holderOf(connection);
  try {
    return await fn(connection);
  } finally {
    holder?.release();
  }
}
