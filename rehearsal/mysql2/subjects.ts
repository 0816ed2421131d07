import mysql from 'mysql2/promise';
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { createPool, type DividedPool } from '../../drivers/mysql2/promise.ts';
import type { RehearsedPartitions } from '../scenario.ts';
import { stockOf } from '../stock.ts';
import type { PartitionedOptions, RehearsalLease, SharedOptions, Subject } from '../subject.ts';
import { leaseAtOnce, reachable, warmUpTimeoutMillis } from '../warm-up.ts';
import { Connections, type CoreConnection } from './connections.ts';
import { withPatience } from './patience.ts';
import { labelUrl } from './url.ts';

export function openShared(options: SharedOptions): Subject {
  const { url, label, max } = options;
  const pool = mysql.createPool({ uri: labelUrl(url, label), connectionLimit: max });
  return sharedSubject(pool, options);
}

export function openPartitioned({ url, label, max, partitions }: PartitionedOptions): Subject {
  const uri = labelUrl(url, label);
  return partitionedSubject(createPool({ uri, connectionLimit: max, partitions }), partitions);
}

/** Ends the pool when it is closed. */
export function sharedSubject(
  pool: Pool,
  { max, acquireTimeoutMillis }: Pick<SharedOptions, 'max' | 'acquireTimeoutMillis'>,
): Subject {
  return {
    ...commonOf(pool),
    checkout: () => lease(withPatience(pool.getConnection(), acquireTimeoutMillis)),
    warmUp: () => leaseAtOnce(Array.from({ length: max }, () => pool.getConnection())),
  };
}

/** Ends the pool when it is closed; it may have more partitions than these. */
export function partitionedSubject(pool: DividedPool, partitions: RehearsedPartitions): Subject {
  const patience = { acquireTimeoutMillis: warmUpTimeoutMillis };
  return {
    ...commonOf(pool),
    checkout: (name) => lease(pool.partition(name).getConnection()),
    warmUp: () =>
      leaseAtOnce(
        reachable(stockOf(pool.stats()), Object.keys(partitions)).flatMap(([name, count]) =>
          Array.from({ length: count }, () => pool.partition(name).getConnection(patience)),
        ),
      ),
  };
}

/** When its server is gone, the end of mysql2's own pool may fail, or never come. */
const closeTimeoutMillis = 5_000;

async function settlesWithin(promise: Promise<void>, millis: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), millis);
  });
  const settled = promise.then(() => true).catch(() => false);
  const first = await Promise.race([settled, late]);
  clearTimeout(timer);
  return first;
}

function commonOf(pool: Pool): Pick<Subject, 'connectionIds' | 'close'> {
  const connections = new Connections(pool);
  return {
    connectionIds: connections.ids,
    async close() {
      const gone = pool.end().then(() => connections.gone());
      if (await settlesWithin(gone, closeTimeoutMillis)) return;
      connections.cut();
      await connections.gone();
    },
  };
}

async function lease(connecting: Promise<PoolConnection>): Promise<RehearsalLease> {
  const connection = await connecting;
  return {
    async hold(millis) {
      const sql = `select sleep(${millis / 1_000}) as interrupted`;
      const [rows] = await connection.query<RowDataPacket[]>(sql);
      // MySQL has no error for it.
      if (rows[0]?.['interrupted'] !== 0) throw new Error('the server interrupted the sleep');
    },
    async run(statement) {
      await connection.query(statement);
    },
    release(error) {
      if (error === undefined) return connection.release();
      // `destroy` alone waits for the command that runs, and never tells its caller.
      const core = connection.connection as unknown as CoreConnection;
      core.stream.destroy(error);
      connection.destroy();
    },
  };
}
