import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { partitionConnection, type Partitioned } from '../../drivers/mongoose/index.ts';
import { stockOf } from '../stock.ts';
import type { PartitionedOptions, SharedOptions, Stock, Subject } from '../subject.ts';
import { checkAllOpened, reachable, warmUpTimeoutMillis } from '../warm-up.ts';
import { clientOf, Operations, type Client } from './operations.ts';
import { sleepOf, type Database, type Sleep } from './sleep.ts';
import { labelUrl } from './url.ts';

const warmUpHoldMillis = 50;

/** A connection of mongoose that is opened when the subject is warmed up. */
export function openShared(options: SharedOptions): Subject {
  const { url, label, max, acquireTimeoutMillis } = options;
  const connection = unopened();
  return sharedSubject(connection, options, async () => {
    const waitQueueTimeoutMS = Math.round(acquireTimeoutMillis);
    await open(connection, labelUrl(url, label), max, { waitQueueTimeoutMS });
  });
}

export function openPartitioned({ url, label, max, partitions }: PartitionedOptions): Subject {
  const connection = unopened();
  // No operation of a rehearsal is one that the reserve is for.
  const partitioned = partitionConnection(connection, { max, partitions, finishReserve: 0 });
  return partitionedSubject(partitioned, { label, partitions }, () =>
    open(connection, labelUrl(url, label), max),
  );
}

/** Of a mongoose of its own, which nobody else's settings reach. */
const unopened = (): Connection => new mongoose.Mongoose().createConnection();

async function open(
  connection: Connection,
  url: string,
  max: number,
  options: { readonly waitQueueTimeoutMS?: number } = {},
): Promise<void> {
  const pool = { maxPoolSize: max, minPoolSize: max, maxConnecting: max };
  const serverSelectionTimeoutMS = warmUpTimeoutMillis;
  await connection.openUri(url, { ...pool, ...options, serverSelectionTimeoutMS });
}

/** Closes the connection when it is closed. */
export function sharedSubject(
  connection: Connection,
  { label, max }: Pick<SharedOptions, 'label' | 'max'>,
  opened: () => Promise<unknown>,
): Subject {
  return subject({
    label,
    opened,
    client: () => clientOf(connection),
    show: () => connection,
    targets: () => [['', max]],
    close: () => connection.close(),
  });
}

/** Ends what is divided when it is closed; it may have more partitions than these. */
export function partitionedSubject(
  partitioned: Partitioned<string, Connection>,
  { label, partitions }: Pick<PartitionedOptions, 'label' | 'partitions'>,
  opened: () => Promise<unknown>,
): Subject {
  const names = Object.keys(partitions);
  const [first = ''] = names;
  return subject({
    label,
    opened,
    client: () => clientOf(partitioned.partition(first)),
    show: (name) => partitioned.partition(name),
    targets: () => reachable(stockOfServer(partitioned), names),
    close: () => partitioned.end(),
  });
}

/** Each server has as much; that of the first one. */
export function stockOfServer(partitioned: Partitioned<string, Connection>): Stock {
  const [server] = Object.values(partitioned.stats().servers);
  if (server === undefined) throw new Error('the connection is not open');
  return stockOf(server);
}

interface Divided {
  readonly label: string;
  readonly opened: () => Promise<unknown>;
  readonly client: () => Client;
  readonly show: (partition: string) => Database;
  /** How many operations at once open all connections, by partition. */
  readonly targets: () => readonly (readonly [name: string, count: number])[];
  readonly close: () => Promise<unknown>;
}

function subject({ label, opened, client, show, targets, close }: Divided): Subject {
  const operations = new Operations(label);
  let sleep: Sleep | undefined;
  return {
    perOperation: true,
    connectionIds: operations.ids,
    async checkout(name, intent) {
      if (sleep === undefined) throw new Error('not warm yet');
      return operations.begin(show(name), sleep, intent);
    },
    async warmUp() {
      await opened();
      operations.watch(client());
      const all = targets();
      sleep = await sleepOf(show(all[0]?.[0] ?? ''));
      await warmUp(operations, sleep, all, show);
    },
    async close() {
      await close();
    },
  };
}

/** The driver opens connections one after the other, while operations wait for them. */
async function warmUp(
  operations: Operations,
  sleep: Sleep,
  targets: ReturnType<Divided['targets']>,
  show: Divided['show'],
): Promise<void> {
  const wanted = targets.reduce((sum, [, count]) => sum + count, 0);
  const end = performance.now() + warmUpTimeoutMillis;
  const intent = { holdMillis: warmUpHoldMillis, signal: new AbortController().signal };
  while (operations.connections < wanted) {
    const settled = await Promise.allSettled(
      targets.flatMap(([name, count]) =>
        Array.from({ length: count }, async () => {
          const lease = await operations.begin(show(name), sleep, intent);
          await lease.hold(warmUpHoldMillis);
        }),
      ),
    );
    if (performance.now() < end) continue;
    return checkAllOpened(operations.connections, settled, wanted);
  }
}
