import mysql2 from 'mysql2';
import mysql2Promise from 'mysql2/promise';
import type { Connection, ConnectionOptions } from 'mysql2';
import type { Connection as PromiseConnection } from 'mysql2/promise';
import { withOwn } from '../shared/with-own.ts';
import { openOutside } from './outside-connection.ts';
import type { PartitionPool } from './partition-pool.ts';
import { StockPromiseConnection } from './stock.ts';

/** mysql2 as a module, whose pools are one partition. */
export type ModuleFace<P> = Omit<typeof mysql2, 'createPool'> & {
  createPool(options?: unknown): P;
};

/** `mysql2/promise` as a module, whose pools are one partition. */
export type PromiseModuleFace<P> = Omit<typeof mysql2Promise, 'createPool'> & {
  createPool(options?: unknown): P;
};

type Open<C> = (config: string | ConnectionOptions) => C;

export function moduleFace(pool: PartitionPool): ModuleFace<PartitionPool> {
  const createConnection: Open<Connection> = (config) => openOutside(pool, config);
  const face = promiseModuleFace(pool.promise(), pool);
  return withOwn(mysql2, {
    createPool: () => pool,
    createConnection,
    connect: createConnection,
    createPoolCluster: refuseCluster,
    createPoolPromise: () => face.createPool(),
    createConnectionPromise: face.createConnection,
    createPoolClusterPromise: refuseCluster,
  }) as unknown as ModuleFace<PartitionPool>;
}

/** @param face what its `createPool` returns */
export function promiseModuleFace<P>(face: P, pool: PartitionPool): PromiseModuleFace<P> {
  const createConnection: Open<Promise<PromiseConnection>> = (config) =>
    new Promise((resolve, reject) => {
      const connection = openOutside(pool, config);
      connection.once('connect', () => resolve(new StockPromiseConnection(connection)));
      connection.once('error', reject);
    });
  return withOwn(mysql2Promise, {
    createPool: () => face,
    createConnection,
    createPoolCluster: refuseCluster,
  }) as unknown as PromiseModuleFace<P>;
}

function refuseCluster(): never {
  throw new Error(
    'a partition is part of one pool: a cluster would open pools of its own, beside the partitions',
  );
}
