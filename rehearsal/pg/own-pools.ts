import type pg from 'pg';
import type { Pool } from '../../drivers/pg/index.ts';
import { optionError } from '../option-error.ts';
import { stockOf } from '../stock.ts';
import type { OwnPools, Subject } from '../subject.ts';
import { partitionedSubject, sharedSubject } from './subjects.ts';
import { labelUrl } from './url.ts';

export const ownPools: OwnPools = {
  labelUrl,
  /** JavaScript may return anything, and a pool of pg itself is the likeliest mistake. */
  async takeStock(createPool) {
    const pool = (await createPool()) as Partial<Pool> | undefined;
    const stats = pool?.stats?.();
    await pool?.end?.();
    if (stats === undefined) {
      throw optionError(['createPool: expected a Pool of watertight/pg, which has partitions']);
    }
    return stockOf(stats);
  },
  partitioned(given, { label, partitions }) {
    const pool = given as Pool;
    const [first = ''] = Object.keys(partitions);
    const subject = partitionedSubject(pool, partitions);
    return sureOfLabel('createPool', label, subject, () => pool.partition(first));
  },
  async shared(given, { label, max }) {
    const pool = given as pg.Pool;
    await checkSize(pool, max);
    return sureOfLabel('createSharedPool', label, sharedSubject(pool, max), () => pool);
  },
};

/** The comparison is of the same number of connections; waiting for more would never end. */
async function checkSize(pool: Partial<pg.Pool> | undefined, max: number): Promise<void> {
  const own = pool?.options?.max;
  if (own === max) return;
  await pool?.end?.();
  throw optionError([
    `createSharedPool: expected a pg.Pool of ${max} connections, the max it is given, got ${own}`,
  ]);
}

/** Connections without the label would go uncounted, and perhaps to another server. */
function sureOfLabel(
  option: string,
  label: string,
  subject: Subject,
  pool: () => pg.Pool,
): Subject {
  return {
    ...subject,
    async warmUp() {
      await subject.warmUp();
      const sql = `select current_setting('application_name') as label`;
      const { rows } = await pool().query<{ label: string }>(sql);
      if (rows[0]?.label === label) return;
      throw optionError([
        `${option}: expected a pool that connects with the url it is given, ` +
          `whose application_name is '${label}'; the server sees '${rows[0]?.label ?? ''}'`,
      ]);
    },
  };
}
