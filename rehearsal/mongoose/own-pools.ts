import type { Connection } from 'mongoose';
import type { Partitioned } from '../../drivers/mongoose/index.ts';
import { isRehearsalError } from '../errors.ts';
import { optionError } from '../option-error.ts';
import type { OwnPools, Stock } from '../subject.ts';
import type { Client } from './operations.ts';
import { partitionedSubject, sharedSubject, stockOfServer } from './subjects.ts';
import { labelUrl } from './url.ts';

type Divided = Partitioned<string, Connection>;

export const ownPools: OwnPools = {
  labelUrl,
  /** JavaScript may return anything, and a connection that is not divided is the likeliest mistake. */
  async takeStock(given, cannotConnect) {
    const totals = (given as Partial<Divided> | undefined)?.stats?.().totals;
    if (totals === undefined) {
      await close(given);
      throw optionError([
        'createPool: expected what partitionConnection of watertight/mongoose returns',
      ]);
    }
    return lookAt(given as Divided, Object.keys(totals), cannotConnect);
  },
  partitioned(given, { label, partitions }) {
    const divided = given as Divided;
    const [first = ''] = Object.keys(partitions);
    const show = (): Connection => divided.partition(first);
    const opened = (): Promise<void> => openedWithLabel('createPool', label, show());
    return partitionedSubject(divided, partitions, opened);
  },
  async shared(given, { label, max }) {
    const connection = given as Connection;
    if (typeof connection?.getClient !== 'function') {
      throw optionError(['createSharedPool: expected a connection of mongoose']);
    }
    await connection.asPromise();
    const own = (connection.getClient() as unknown as Client).options.maxPoolSize;
    if (own !== max) {
      await connection.close();
      throw optionError([
        `createSharedPool: expected a connection with maxPoolSize ${max}, the max it is given, got ${own}`,
      ]);
    }
    return sharedSubject(connection, max, () =>
      openedWithLabel('createSharedPool', label, connection),
    );
  },
};

/** What is divided shows only when it is open: a connection may get other options until then. */
async function lookAt(
  divided: Divided,
  names: readonly string[],
  cannotConnect: (error: unknown) => Error,
): Promise<Stock> {
  try {
    await answered(divided.partition(names[0] ?? ''));
    return stockOfServer(divided);
  } catch (error) {
    throw isRehearsalError(error) ? error : cannotConnect(error);
  } finally {
    await divided.end();
  }
}

/** mongoose keeps an operation until the connection is open, or cannot be opened. */
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
  const { appName, monitorCommands } = (connection.getClient() as unknown as Client).options;
  if (appName === label && monitorCommands === true) return;
  throw optionError([
    `${option}: expected a connection with the url it is given, whose appName is '${label}' and ` +
      `which has monitorCommands; it connects with '${appName ?? ''}'`,
  ]);
}

async function close(given: unknown): Promise<void> {
  const connection = given as Partial<Pick<Connection, 'close'>> | undefined;
  await connection?.close?.();
}
