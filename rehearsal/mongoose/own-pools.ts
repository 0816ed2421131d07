import type { Connection } from 'mongoose';
import type { Partitioned } from '../../drivers/mongoose/index.ts';
import { optionError } from '../option-error.ts';
import type { OwnPools, Stock } from '../subject.ts';
import { clientOf } from './operations.ts';
import { partitionedSubject, sharedSubject, stockOfServer } from './subjects.ts';
import { labelUrl } from './url.ts';
import { openWitness } from './witness.ts';

type Divided = Partitioned<string, Connection>;

export const ownPools: OwnPools = {
  labelUrl,
  /** JavaScript may return anything, and a connection that is not divided is the likeliest mistake. */
  async takeStock(createPool, url) {
    // A server that is not there: whoever opens a connection without waiting for it is not told.
    await (await openWitness(url)).close();
    const given = (await createPool()) as Partial<Divided & Connection> | undefined;
    const totals = given?.stats?.().totals;
    if (totals === undefined) {
      await given?.close?.();
      throw optionError([
        'createPool: expected what partitionConnection of watertight/mongoose returns',
      ]);
    }
    return lookAt(given as Divided, Object.keys(totals));
  },
  partitioned(given, { label, partitions }) {
    const divided = given as Divided;
    const [first = ''] = Object.keys(partitions);
    const show = (): Connection => divided.partition(first);
    const opened = (): Promise<void> => openedWithLabel('createPool', label, show());
    return partitionedSubject(divided, { label, partitions }, opened);
  },
  async shared(given, options) {
    const { label, max } = options;
    const connection = given as Connection;
    if (typeof connection?.getClient !== 'function') {
      throw optionError(['createSharedPool: expected a connection of mongoose']);
    }
    await connection.asPromise();
    const own = clientOf(connection).options.maxPoolSize;
    if (own !== max) {
      await connection.close();
      throw optionError([
        `createSharedPool: expected a connection with maxPoolSize ${max}, the max it is given, got ${own}`,
      ]);
    }
    return sharedSubject(connection, options, () =>
      openedWithLabel('createSharedPool', label, connection),
    );
  },
};

/** What is divided shows only when it is open: a connection may get other options until then. */
async function lookAt(divided: Divided, names: readonly string[]): Promise<Stock> {
  try {
    await answered(divided.partition(names[0] ?? ''));
    return stockOfServer(divided);
  } finally {
    await divided.end();
  }
}

/** mongoose keeps an operation until the connection is open. */
async function answered(connection: Connection): Promise<void> {
  await connection.collection('watertight').findOne({});
}

/** Connections without the label would go uncounted, and perhaps to another server. */
async function openedWithLabel(
  option: string,
  label: string,
  connection: Connection,
): Promise<void> {
  await answered(connection);
  const { appName, monitorCommands } = clientOf(connection).options;
  if (appName === label && monitorCommands === true) return;
  throw optionError([
    `${option}: expected a connection with the url it is given, whose appName is '${label}' and ` +
      `which has monitorCommands; it connects with '${appName ?? ''}'`,
  ]);
}
