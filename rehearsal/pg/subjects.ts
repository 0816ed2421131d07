import pg from 'pg';
import { Pool } from '../../drivers/pg/index.ts';
import type { RehearsedPartitions } from '../scenario.ts';
import type { PartitionedOptions, RehearsalLease, SharedOptions, Subject } from '../subject.ts';
import { stockOf } from '../stock.ts';
import { leaseAtOnce, reachable, warmUpTimeoutMillis } from '../warm-up.ts';
import { labelUrl } from './url.ts';

// oxlint-disable-next-line import/no-named-as-default-member -- before 8.15 an ES module finds no named exports
const { Pool: StockPool } = pg;

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
  const patience = { acquireTimeoutMillis: warmUpTimeoutMillis };
  return {
    checkout: (name) => lease(pool.partition(name).connect()),
    warmUp: () =>
      leaseAtOnce(
        reachable(stockOf(pool.stats()), Object.keys(partitions)).flatMap(([name, count]) =>
          Array.from({ length: count }, () => pool.partition(name).connect(patience)),
        ),
      ),
    close: () => pool.end(),
  };
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

const survivors = new WeakSet<pg.PoolClient>();

/** A connection that breaks while it is held also rejects its query, which is where it is counted. */
function surviveErrors(client: pg.PoolClient): void {
  if (survivors.has(client)) return;
  survivors.add(client);
  client.on('error', () => undefined);
}
