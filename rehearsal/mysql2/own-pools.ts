import type { Pool as CallbackPool } from 'mysql2';
import type { Pool } from 'mysql2/promise';
import type { DividedPool } from '../../drivers/mysql2/promise.ts';
import { noPool, onePartition } from '../no-pool.ts';
import { isDivided, stockOf } from '../stock.ts';
import type { OwnPool, OwnPools } from '../subject.ts';
import type { CoreConnection } from './connections.ts';
import { partitionedSubject, sharedSubject } from './subjects.ts';
import { labelUrl } from './url.ts';

/** With what mysql2 does not declare of it. */
type Inner = { readonly pool: CallbackPool & { readonly _closed: boolean } };

/** Pools are given in mysql2's callback form or its promise form. */
export const ownPools: OwnPools = {
  divided: 'a pool of watertight/mysql2',
  undivided: 'a pool of mysql2',
  labelName: 'program_name among the connectAttributes',
  labelUrl,
  inspect(given) {
    const pool = asPromises(given) as Partial<DividedPool & Inner> | undefined | null;
    if (typeof pool?.getConnection !== 'function' || pool.pool === undefined) return noPool(given);
    const stats = pool.stats?.();
    if (stats === undefined) return ownPool(pool as Pool & Inner);
    // A partition has statistics of its own.
    if (stats.partitions === undefined) return { ...noPool(given), isNot: onePartition };
    return ownPool(pool as DividedPool & Inner);
  },
  partitioned: (given, { partitions }) =>
    partitionedSubject(asPromises(given) as DividedPool, partitions),
  shared: (given, options) => sharedSubject(asPromises(given) as Pool, options),
};

function asPromises(given: unknown): unknown {
  const { promise } = Object(given) as { promise?: unknown };
  return typeof promise === 'function' ? (promise.call(given) as unknown) : given;
}

function ownPool(pool: (Pool | DividedPool) & Inner): OwnPool {
  return {
    isDivided: 'stats' in pool && isDivided(pool.stats()),
    isEnded: pool.pool._closed,
    stock: () =>
      'stats' in pool
        ? stockOf(pool.stats())
        : { max: pool.pool.config.connectionLimit ?? 0, partitions: {} },
    async label() {
      const one = 'partition' in pool ? pool.partition(firstOf(pool)) : pool;
      const connection = await one.getConnection();
      const { config } = connection.connection as unknown as CoreConnection;
      connection.release();
      return config.connectAttributes?.program_name ?? '';
    },
    end: () => pool.end(),
  };
}

const firstOf = (pool: DividedPool): string => Object.keys(pool.stats().partitions)[0] ?? '';
