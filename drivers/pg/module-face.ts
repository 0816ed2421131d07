import pg from 'pg';
import { withOwn } from '../shared/with-own.ts';
import { leaseClientOf } from './lease-client.ts';
import type { PartitionPool } from './partition-pool.ts';

/** pg as a module, whose pools are one partition. */
export type ModuleFace = Omit<typeof pg, 'Pool' | 'native'> & {
  readonly Pool: (new (config?: unknown) => PartitionPool) &
    Pick<typeof pg.Pool, keyof typeof pg.Pool>;
  /** Its pools and clients would open connections beside the partition. */
  readonly native: null;
};

export function moduleFace(pool: PartitionPool): ModuleFace {
  const own = { Pool: poolOf(pool), Client: leaseClientOf(pool), native: null };
  return withOwn(pg, own) as unknown as ModuleFace;
}

/** A class that makes nothing, and has what `pg.Pool` has itself. */
function poolOf(pool: PartitionPool): () => PartitionPool {
  function PartitionPool(): PartitionPool {
    return pool;
  }
  PartitionPool.prototype = Object.getPrototypeOf(pool);
  return Object.setPrototypeOf(PartitionPool, pg.Pool);
}
