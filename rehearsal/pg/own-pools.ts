import type pg from 'pg';
import type { Pool } from '../../drivers/pg/index.ts';
import { noPool, onePartition } from '../no-pool.ts';
import { isDivided, stockOf } from '../stock.ts';
import type { OwnPool, OwnPools } from '../subject.ts';
import { partitionedSubject, sharedSubject } from './subjects.ts';
import { labelUrl } from './url.ts';

export const ownPools: OwnPools = {
  divided: 'a Pool of watertight/pg',
  undivided: 'a pg.Pool',
  labelName: 'application_name',
  labelUrl,
  inspect(given) {
    const pool = given as Partial<Pool> | undefined | null;
    if (typeof pool?.connect !== 'function' || pool.totalCount === undefined) return noPool(given);
    const stats = pool.stats?.();
    if (stats === undefined) return ownPool(pool as pg.Pool);
    // A partition has statistics of its own.
    if (stats.partitions === undefined) return { ...noPool(given), isNot: onePartition };
    return ownPool(pool as Pool);
  },
  partitioned: (pool, { partitions }) => partitionedSubject(pool as Pool, partitions),
  shared: (pool, { max }) => sharedSubject(pool as pg.Pool, max),
};

function ownPool(pool: pg.Pool | Pool): OwnPool {
  return {
    isDivided: 'stats' in pool && isDivided(pool.stats()),
    isEnded: pool.ending,
    stock: () =>
      'stats' in pool ? stockOf(pool.stats()) : { max: pool.options.max, partitions: {} },
    async label() {
      const one = 'partition' in pool ? pool.partition(firstOf(pool)) : pool;
      const sql = `select current_setting('application_name') as label`;
      const { rows } = await one.query<{ label: string }>(sql);
      return rows[0]?.label ?? '';
    },
    end: () => pool.end(),
  };
}

const firstOf = (pool: Pool): string => Object.keys(pool.stats().partitions)[0] ?? '';
