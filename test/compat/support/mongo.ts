import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import mongoose, { type Connection } from 'mongoose';
import { partitionClient, partitionConnection, type Partitioned } from 'watertight/mongoose';
import { MongoServer } from '../../support/mongo-server/server.ts';
import type { Served } from './served.ts';
import { databaseNameOf } from './urls.ts';

/** What all rows divide their client into. */
export const division = {
  partitions: { order: { size: 2, acquireTimeoutMillis: 1_000 }, batch: 2 },
} as const;
type Name = keyof (typeof division)['partitions'];

/** A fifth connection is for commits and aborts, which take no permit. */
export const poolOptions = { maxPoolSize: 5, maxConnecting: 4 } as const;

const withoutPermit = ['commitTransaction', 'abortTransaction', 'endSessions', 'killCursors'];

/** Our own server, since it is asked what it was asked, and made to keep a command waiting. */
export interface ServedMongo<P> extends Served<P> {
  readonly partitioned: Partitioned<Name, P>;
  /** The most commands with a permit that the server ran together, when each takes a while. */
  peakDuring(work: () => Promise<unknown>): Promise<number>;
  /** Clients that the server knows, by their monitors: of a client there is one. */
  clients(): number;
  /** Connections that the server has accepted so far: a client that was closed opens new ones. */
  opened(): number;
  /** Transactions that the server was asked to commit and to abort. */
  ended(): { readonly committed: number; readonly aborted: number };
}

interface Commanding {
  command(command: object): Promise<unknown>;
}

/** How a partition looks to its users. */
export interface Shown<P> {
  readonly partitioned: Partitioned<Name, P>;
  database(partition: P): Commanding;
  isOpen(partition: P): boolean;
}

/** A mongoose connection. */
export const serveMongoose = (title: string): Promise<ServedMongo<Connection>> =>
  serveMongo(title, async (url) => {
    const connection = await mongoose.createConnection(url, poolOptions).asPromise();
    return {
      partitioned: partitionConnection(connection, division),
      database: ({ db }) => db!,
      isOpen: ({ readyState }) => readyState === mongoose.ConnectionStates.connected,
    };
  });

/** A client of the driver alone. */
export const serveMongoClient = (title: string): Promise<ServedMongo<MongoClient>> =>
  serveMongo(title, async (url) => {
    const client = await new MongoClient(url, poolOptions).connect();
    return {
      partitioned: partitionClient(client, division),
      database: (partition) => partition.db(),
      isOpen: () => true,
    };
  });

/** @param divide opens what is divided, at this URL */
export async function serveMongo<P>(
  title: string,
  divide: (url: string) => Promise<Shown<P>>,
): Promise<ServedMongo<P>> {
  const server = new MongoServer();
  await server.listen();
  const url = Object.assign(new URL(server.url), { pathname: databaseNameOf(title) }).href;
  const { partitioned, database, isOpen } = await divide(url);
  const order = partitioned.partition('order');
  const batch = partitioned.partition('batch');
  const queryBatch = async (): Promise<void> => void (await database(batch).command({ ping: 1 }));
  await queryBatch();
  server.log.clear();
  return {
    partitioned,
    order,
    url,
    connections: async () => server.connections,
    async peakDuring(work) {
      server.log.clear();
      server.faults.add({ delayMillis: 5 });
      await work();
      server.faults.clear();
      return server.log.peak(({ name }) => !withoutPermit.includes(name));
    },
    clients: () => server.monitors,
    opened: () => server.accepted,
    ended: () => ({
      committed: server.log.count('commitTransaction'),
      aborted: server.log.count('abortTransaction'),
    }),
    async fill() {
      const holding = [1, 2].map(() => database(order).command({ ping: 1, comment: 'hold it' }));
      while (server.log.running.length < 2) await delay(1);
      return async () => {
        server.interrupt('hold it');
        await Promise.allSettled(holding);
      };
    },
    granted: () => partitioned.stats().totals['order']!.counters.granted,
    inUse: () => partitioned.stats().totals['order']!.gauges.inUse,
    orderEnded: () => !isOpen(order),
    queryBatch,
    async stop() {
      await partitioned.end();
      await server.close();
    },
  };
}
