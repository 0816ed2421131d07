import type { Pool as CallbackPool } from 'mysql2';
import type { Pool } from 'mysql2/promise';
import type { DividedPool as CallbackDividedPool } from '../../drivers/mysql2/index.ts';
import type { DividedPool } from '../../drivers/mysql2/promise.ts';
import { optionError } from '../option-error.ts';
import { stockOf } from '../stock.ts';
import type { OwnPools, Subject } from '../subject.ts';
import type { CoreConnection } from './connections.ts';
import { partitionedSubject, sharedSubject } from './subjects.ts';
import { labelUrl } from './url.ts';

/** Pools are given in mysql2's callback form or its promise form. */
export const ownPools: OwnPools = {
  labelUrl,
  /** JavaScript may return anything, and a pool of mysql2 itself is the likeliest mistake. */
  async takeStock(createPool) {
    const given = (await createPool()) as CallbackDividedPool | DividedPool | undefined;
    const pool = asPromises(given);
    const stats = pool?.stats?.();
    await pool?.end?.();
    if (stats === undefined) {
      throw optionError(['createPool: expected a pool of watertight/mysql2, which has partitions']);
    }
    return stockOf(stats);
  },
  partitioned(given, { label, partitions }) {
    const pool = asPromises(given as DividedPool) as DividedPool;
    const [first = ''] = Object.keys(partitions);
    const subject = partitionedSubject(pool, partitions);
    return sureOfLabel('createPool', label, subject, () => pool.partition(first));
  },
  async shared(given, options) {
    const pool = asPromises(given as Pool) as Pool;
    await checkSize(pool, options.max);
    return sureOfLabel('createSharedPool', options.label, sharedSubject(pool, options), () => pool);
  },
};

function asPromises<Promised extends object>(
  pool: Promised | { promise(): Promised } | undefined,
): Promised | undefined {
  return pool !== undefined && 'promise' in pool ? pool.promise() : pool;
}

/** The comparison is of the same number of connections; waiting for more would never end. */
async function checkSize(given: Pool, max: number): Promise<void> {
  const pool = given as Partial<Pool & { pool: CallbackPool }> | undefined;
  const own = pool?.pool?.config?.connectionLimit;
  if (own === max) return;
  await pool?.end?.();
  throw optionError([
    `createSharedPool: expected a pool of mysql2 with ${max} connections, the max it is given, got ${own}`,
  ]);
}

/** Connections without the label would go uncounted, and perhaps to another server. */
function sureOfLabel(option: string, label: string, subject: Subject, pool: () => Pool): Subject {
  return {
    ...subject,
    async warmUp() {
      await subject.warmUp();
      const connection = await pool().getConnection();
      const { config } = connection.connection as unknown as CoreConnection;
      connection.release();
      const said = config.connectAttributes?.program_name;
      if (said === label) return;
      throw optionError([
        `${option}: expected a pool that connects with the url it is given, in whose ` +
          `connectAttributes program_name is '${label}'; it connects with '${said ?? ''}'`,
      ]);
    },
  };
}
