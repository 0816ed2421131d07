/** Plugs the user's own pools into the rehearsal. */
import type pg from 'pg';
import type { Pool } from '../../drivers/pg/index.ts';
import { resolveConfig, type PartitionsConfig } from '../../src/config.ts';
import { isRehearsalError } from '../errors.ts';
import { pgRehearsal } from '../pg/index.ts';
import { partitionedSubject, sharedSubject } from '../pg/subjects.ts';
import { labelUrl } from '../pg/url.ts';
import type { RehearsedPartitions, Scenario } from '../scenario.ts';
import type { RehearsalDriver, Subject } from '../subject.ts';
import { optionError } from './check-options.ts';
import type { RehearseOptions } from './options.ts';

/** What is going to be rehearsed. */
export interface Rehearsed {
  readonly max: number;
  readonly partitions: RehearsedPartitions;
}

/**
 * Opens no connection.
 * @throws `ERR_REHEARSAL_OPTION` with every fault, and what `createPool` throws.
 */
export async function look(
  scenario: Scenario,
  url: string,
  { createPool, partitions = {}, max }: RehearseOptions,
): Promise<Rehearsed> {
  if (createPool === undefined) return resolved(max, partitions);
  const request = { url: labelUrl(url, 'watertight check'), max: max ?? scenario.max };
  const found = await takeStock(await createPool(request));
  const faults: string[] = [];
  const rehearsed: Record<string, RehearsedPartitions[string]> = {};
  for (const { partition } of scenario.workloads) {
    const one = found.partitions[partition];
    if (one === undefined) faults.push(missing(partition, scenario, found.partitions));
    else rehearsed[partition] = one;
  }
  if (max !== undefined && max !== found.max) {
    faults.push(`max: createPool makes a pool of ${found.max} connections, got ${max}`);
  }
  if (faults.length > 0) throw optionError(faults);
  return { max: found.max, partitions: rehearsed };
}

function missing(name: string, scenario: Scenario, found: RehearsedPartitions): string {
  const there = Object.keys(found).join(', ');
  return `createPool: the pool has no partition '${name}', which ${scenario.name} plays; it has: ${there}`;
}

function resolved(max: number | undefined, given: PartitionsConfig): Rehearsed {
  const config = resolveConfig({ max, partitions: given });
  const entries = config.partitions.map(({ name, ...options }) => [name, options] as const);
  return { max: config.max, partitions: Object.fromEntries(entries) };
}

/** JavaScript may return anything, and a pool of pg itself is the likeliest mistake. */
async function takeStock(pool: Partial<Pool> | undefined): Promise<Rehearsed> {
  const stats = pool?.stats?.();
  await pool?.end?.();
  if (stats === undefined) {
    throw optionError(['createPool: expected a Pool of watertight/pg, which has partitions']);
  }
  const entries = Object.entries(stats.partitions).map(
    ([name, { gauges }]) => [name, { size: gauges.size, max: gauges.max }] as const,
  );
  return { max: stats.max, partitions: Object.fromEntries(entries) };
}

/** The driver with the user's pools in place of its own. */
export function driverOf({ createPool, createSharedPool }: RehearseOptions): RehearsalDriver {
  return {
    ...pgRehearsal,
    cannotConnect: (error, url) =>
      isRehearsalError(error) ? error : pgRehearsal.cannotConnect(error, url),
    ...(createPool && {
      async openPartitioned({ url, label, max, partitions }) {
        const pool = await createPool({ url: labelUrl(url, label), max });
        const [first = ''] = Object.keys(partitions);
        const subject = partitionedSubject(pool, partitions);
        return sureOfLabel('createPool', label, subject, () => pool.partition(first));
      },
    }),
    ...(createSharedPool && {
      async openShared({ url, label, max, acquireTimeoutMillis }) {
        const request = { url: labelUrl(url, label), max, acquireTimeoutMillis };
        const pool = await createSharedPool(request);
        await checkSize(pool, max);
        return sureOfLabel('createSharedPool', label, sharedSubject(pool, max), () => pool);
      },
    }),
  };
}

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
