import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { partitionOf } from '../../drivers/mongoose/facade.ts';
import type { Partitioned } from '../../drivers/mongoose/index.ts';
import { noPool, onePartition } from '../no-pool.ts';
import { optionError } from '../option-error.ts';
import type { NoPool, OwnPool, OwnPools } from '../subject.ts';
import { clientOf } from './operations.ts';
import { partitionedSubject, sharedSubject, stockOfServer } from './subjects.ts';
import { labelUrl } from './url.ts';

type Divided = Partitioned<string, Connection>;

export const ownPools: OwnPools = {
  divided: 'what partitionConnection of watertight/mongoose returns',
  undivided: 'a connection of mongoose',
  labelName: 'appName',
  labelUrl,
  async inspect(given) {
    const { uninstall } = Object(given) as Partial<Divided>;
    const isDivided = typeof uninstall === 'function' && isConnection(firstOf(given as Divided));
    if (isDivided) return dividedPool(given as Divided);
    if (!isConnection(given)) return noPool(given);
    await given.asPromise();
    return undividedPool(given);
  },
  partitioned(given, { label, partitions }) {
    const divided = given as Divided;
    return partitionedSubject(divided, { label, partitions }, () => opened(firstOf(divided)));
  },
  shared(given, options) {
    const connection = given as Connection;
    return sharedSubject(connection, options, () => opened(connection));
  },
};

function dividedPool(divided: Divided): OwnPool {
  const first = firstOf(divided);
  return {
    isDivided: true,
    isEnded: isEnded(first),
    async stock() {
      // What is divided shows only when it is open: a connection may get other options until then.
      await answered(first);
      return stockOfServer(divided);
    },
    label: () => labelOf(first),
    async end() {
      await opening(first);
      await divided.end();
    },
  };
}

function undividedPool(connection: Connection): OwnPool | NoPool {
  const client = connection.getClient() as ReturnType<Connection['getClient']> | undefined;
  const isNot = dividedBy(client);
  if (isNot !== undefined) {
    return {
      isNot,
      async end() {
        await opening(connection);
        await client?.close();
      },
    };
  }
  return {
    isDivided: false,
    isEnded: isEnded(connection),
    stock: () => ({ max: clientOf(connection).options.maxPoolSize ?? 0, partitions: {} }),
    label: () => labelOf(connection),
    end: () => connection.close(),
  };
}

function dividedBy(client: object | undefined): string | undefined {
  if (partitionOf(client) !== undefined) return onePartition;
  const isDivided = Reflect.has(Object(client), Symbol.for('watertight.divided'));
  return isDivided ? 'a connection that is divided' : undefined;
}

/** Of whichever copy of mongoose. */
const isConnection = (given: unknown): given is Connection =>
  ['getClient', 'asPromise'].every(
    (name) => typeof Reflect.get(Object(given), name) === 'function',
  );

/** One that was never open has no client. */
const isEnded = (connection: Connection): boolean =>
  connection.readyState === mongoose.ConnectionStates.disconnected &&
  Boolean(connection.getClient());

function firstOf(divided: Divided): Connection {
  const [name = ''] = Object.keys(divided.stats().totals);
  return divided.partition(name);
}

/** One that is closed while it opens rejects a promise of mongoose that nobody has. */
async function opening(connection: Connection): Promise<void> {
  if (connection.readyState !== mongoose.ConnectionStates.connecting) return;
  await answered(connection).catch(() => undefined);
}

/** mongoose keeps an operation until the connection is open. */
async function answered(connection: Connection): Promise<void> {
  await connection.collection('watertight').findOne({});
}

/** Without being told of commands nobody knows which connections there are. */
async function opened(connection: Connection): Promise<void> {
  await answered(connection);
  if (clientOf(connection).options.monitorCommands === true) return;
  throw optionError(['expected a connection with the url it is given, which has monitorCommands']);
}

const labelOf = async (connection: Connection): Promise<string> =>
  clientOf(connection).options.appName ?? '';
