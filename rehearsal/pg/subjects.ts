import pg from 'pg';
import { Pool } from '../../drivers/pg/index.ts';
import type { RehearsedPartitions } from '../scenario.ts';
import type { PartitionedOptions, RehearsalLease, SharedOptions, Subject } from '../subject.ts';
import { labelUrl } from './url.ts';

// oxlint-disable-next-line import/no-named-as-default-member -- before 8.15 an ES module finds no named exports
const { Pool: StockPool } = pg;

const warmUpTimeoutMillis = 10_000;

export function openShared({ url, label, max, acquireTimeoutMillis }: SharedOptions): Subject {
  const connectionString = labelUrl(url, label);
  const pool = new StockPool({
    connectionString,
    max,
    connectionTimeoutMillis: acquireTimeoutMillis,
  });
  return sharedSubject(pool, max);
}

export function openPartitioned({ url, label, max, partitions }: PartitionedOptions): Subject {
  const pool = new Pool({ connectionString: labelUrl(url, label), max, partitions });
  return partitionedSubject(pool, partitions);
}

/** Ends the pool when it is closed. */
export function sharedSubject(pool: pg.Pool, max: number): Subject {
  pool.on('error', () => undefined);
  return {
    checkout: () => lease(pool.connect()),
    warmUp: () => leaseAtOnce(Array.from({ length: max }, () => pool.connect())),
    close: () => pool.end(),
  };
}

/** Ends the pool when it is closed; it may have more partitions than these. */
export function partitionedSubject(pool: Pool, partitions: RehearsedPartitions): Subject {
  pool.on('error', () => undefined);
  // Not the partition's own deadline: opening all connections at once is no part of the rehearsal.
  const patience = { acquireTimeoutMillis: warmUpTimeoutMillis };
  return {
    checkout: (name) => lease(pool.partition(name).connect()),
    warmUp: () =>
      leaseAtOnce(
        reachable(pool, Object.keys(partitions)).flatMap(([name, count]) =>
          Array.from({ length: count }, () => pool.partition(name).connect(patience)),
        ),
      ),
    close: () => pool.end(),
  };
}

/**
 * How many each of these can hold while the others hold theirs: all connections that the load can
 * ever make the pool open, those among them that no partition has reserved.
 */
function reachable(pool: Pool, names: readonly string[]): (readonly [string, number])[] {
  const { max, partitions } = pool.stats();
  const sizes = Object.values(partitions).map(({ gauges }) => gauges.size);
  let unreserved = max - sizes.reduce((sum, size) => sum + size, 0);
  return names.map((name) => {
    const { size, max: most } = pool.partition(name).stats().gauges;
    const grown = Math.min(most - size, unreserved);
    unreserved -= grown;
    return [name, size + grown];
  });
}

async function lease(connecting: Promise<pg.PoolClient>): Promise<RehearsalLease> {
  const client = await connecting;
  surviveErrors(client);
  return {
    async hold(millis) {
      await client.query(`select pg_sleep(${millis / 1_000})`);
    },
    async run(statement) {
      await client.query(statement);
    },
    release: (error) => client.release(error),
  };
}

/** Opens as many connections as there are leases: none is given back before all are there. */
async function leaseAtOnce(connecting: readonly Promise<pg.PoolClient>[]): Promise<void> {
  const settled = await Promise.allSettled(connecting);
  for (const outcome of settled) {
    if (outcome.status === 'fulfilled') outcome.value.release();
  }
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

const survivors = new WeakSet<pg.PoolClient>();

/** A connection that breaks while it is held also rejects its query, which is where it is counted. */
function surviveErrors(client: pg.PoolClient): void {
  if (survivors.has(client)) return;
  survivors.add(client);
  client.on('error', () => undefined);
}
