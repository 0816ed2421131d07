import { describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { partitionConnection } from '../../drivers/mongoose/index.ts';
import {
  describeBoth,
  grantsDuring,
  inUse,
  open,
  openDivided,
  openServer,
  rejection,
  serverUrl,
  slow,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const partitions = { order: { size: 4, acquireTimeoutMillis: 500 }, batch: 2 };
const connect = { maxPoolSize: 7 };

/** So many callers who ask for slow things again and again, until told to stop. */
function loop(connection: Connection, callers: number, millis: number): () => Promise<unknown> {
  let stopped = false;
  const call = async (): Promise<void> => {
    while (!stopped) await slow(connection, millis).catch(() => {});
  };
  const all = Array.from({ length: callers }, call);
  return () => {
    stopped = true;
    return Promise.all(all);
  };
}

describeBoth('a partition that is full', (mongoose) => {
  test('leaves the others their connections', async () => {
    const { partitioned } = await openDivided(mongoose, await serverUrl(), { partitions }, connect);
    const batch = partitioned.partition('batch');
    const order = thingOf(partitioned.partition('order'));
    await order.findOne();
    const stop = loop(batch, 20, 40);
    await until(() => partitioned.isFull('batch'));
    for (let n = 0; n < 50; n++) await order.findOne();
    const { order: served, batch: busy } = partitioned.stats().totals;
    await stop();
    expect(served?.counters).toMatchObject({ granted: 51, timedOut: 0, refused: 0 });
    expect(busy?.gauges).toMatchObject({ inUse: 2, waiting: 18, available: 0 });
  });

  test('would take them all without partitions: the control of this experiment', async () => {
    const url = await serverUrl();
    const shared = open(mongoose, url, { maxPoolSize: 7, waitQueueTimeoutMS: 20 });
    await shared.asPromise();
    const stop = loop(shared, 20, 40);
    const things = Array.from({ length: 20 }, () => thingOf(shared).findOne().exec());
    const failed = (await Promise.allSettled(things)).filter((one) => one.status === 'rejected');
    await stop();
    expect(failed.length).toBeGreaterThan(0);
  });

  testWith('ownServer')('holds exactly its size on the server', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, { partitions }, connect);
    const [order, batch] = [partitioned.partition('order'), partitioned.partition('batch')];
    await Promise.all([
      ...Array.from({ length: 30 }, () => slow(batch, 11)),
      ...Array.from({ length: 30 }, () => slow(order, 12)),
    ]);
    const peakOf = (millis: number): number =>
      server.log.peak(({ command }) => command['comment'] === `sleep:${millis}`);
    expect([peakOf(11), peakOf(12)]).toEqual([2, 4]);
    expect(server.peak).toBeLessThanOrEqual(7);
    expect(inUse(partitioned)).toBe(0);
  });

  test('shares what nobody has reserved, up to its max', async () => {
    const { partitioned } = await openDivided(
      mongoose,
      await serverUrl(),
      { partitions: { order: { size: 1, max: 4 }, batch: 2 } },
      { maxPoolSize: 6 },
    );
    const order = partitioned.partition('order');
    const all = Promise.all(Array.from({ length: 6 }, () => slow(order, 50)));
    await until(() => partitioned.stats().totals['order']?.gauges.inUse === 3);
    expect(partitioned.available('order')).toBe(0);
    expect(partitioned.available('batch')).toBe(2);
    await all;
  });
});

/** Whatever may be done on a connection, each with the commands that it sends. */
const workloads: Record<string, (connection: Connection) => Promise<unknown>> = {
  find: (connection) => thingOf(connection).find(),
  aggregate: (connection) => thingOf(connection).aggregate([{ $match: { n: 1 } }]),
  'aggregate of the connection': (connection) => connection.aggregate([{ $match: { n: 1 } }]),
  'a cursor of several batches': async (connection) => {
    for await (const thing of thingOf(connection).find().batchSize(2).cursor()) void thing;
  },
  'a cursor that is left': async (connection) => {
    for await (const thing of thingOf(connection).find().batchSize(2).cursor()) {
      void thing;
      break;
    }
  },
  insertMany: (connection) => thingOf(connection).insertMany([{ n: 1 }, { n: 2 }]),
  save: async (connection) => {
    const Thing = thingOf(connection);
    const thing = new Thing({ n: 7 });
    await thing.save();
    thing.n = 8;
    await thing.save();
  },
  bulkWrite: (connection) =>
    thingOf(connection).bulkWrite([
      { insertOne: { document: { n: 1 } } },
      { deleteOne: { filter: { n: 1 } } },
    ]),
  'update and delete': async (connection) => {
    await thingOf(connection).updateOne({ n: 2 }, { $set: { n: 3 } });
    await thingOf(connection).findOneAndUpdate({ n: 3 }, { $set: { n: 2 } });
    await thingOf(connection).deleteMany({ n: 77 });
  },
  'distinct and counts': async (connection) => {
    await thingOf(connection).distinct('n');
    await thingOf(connection).countDocuments();
    await thingOf(connection).estimatedDocumentCount();
  },
  'db.command': async (connection) => connection.db?.command({ ping: 1 }),
  'db.collection': async (connection) => connection.db?.collection('things').findOne({}),
  collection: (connection) => connection.collection('things').findOne({}),
  'bulk builder': async (connection) =>
    connection.db?.collection('things').initializeOrderedBulkOp().insert({ n: 1 }).execute(),
  GridFS: async (connection) => {
    const bucket = new connection.base.mongo.GridFSBucket(connection.db as never);
    const upload = bucket.openUploadStream('file');
    await new Promise((resolve) => upload.on('finish', resolve).end('content'));
    const chunks: unknown[] = [];
    for await (const chunk of bucket.openDownloadStream(upload.id)) chunks.push(chunk);
    expect(String(chunks)).toBe('content');
  },
  indexes: async (connection) => {
    await connection.createCollection('others');
    await thingOf(connection).syncIndexes();
    await connection.listCollections();
  },
  transaction: (connection) =>
    connection.transaction(async (session) => {
      await thingOf(connection).create([{ n: 9 }], { session });
    }),
  'change stream': async (connection) => {
    const stream = thingOf(connection).watch([], { maxAwaitTimeMS: 10 });
    const change = new Promise((resolve) => stream.once('change', resolve));
    await new Promise((resolve) => stream.once('resumeTokenChanged', resolve));
    await thingOf(connection).create({ n: 5 });
    await change;
    await stream.close();
  },
};

/** Never wait for a permit, so that what others wait for is given back. */
const finishing = ['commitTransaction', 'abortTransaction', 'killCursors', 'endSessions'];

describeBoth('every way to the server leads through the partition', (mongoose) => {
  describe.each(Object.entries(workloads))('%s', (_, work) => {
    testWith('ownServer')('of a handle', async () => {
      const server = await openServer();
      const { connection, partitioned } = await openDivided(
        mongoose,
        server.url,
        { partitions },
        connect,
      );
      thingOf(connection);
      const handle = partitioned.partition('batch');
      await thingOf(handle).insertMany(Array.from({ length: 5 }, (__, n) => ({ n })));
      server.log.clear();
      const granted = await grantsDuring(partitioned, () => work(handle));
      await until(() => server.log.running.length === 0);
      const asked = server.log.names.filter((name) => !finishing.includes(name));
      expect(asked.length).toBeGreaterThan(0);
      expect(granted).toEqual({ batch: asked.length });
      await until(() => inUse(partitioned) === 0);
    });
  });
});

describe('without partitions', () => {
  describeBoth('a connection', (mongoose) => {
    test('has one, with all connections and a bounded wait', async () => {
      const connection = open(mongoose, await serverUrl(), { maxPoolSize: 2 });
      const partitioned = partitionConnection(connection, { acquireTimeoutMillis: 20 });
      await connection.asPromise();
      const long = slow(connection, 100);
      expect(await rejection(slow(connection, 100))).toMatchObject({
        code: 'ERR_ACQUIRE_TIMEOUT',
        partition: 'default',
        size: 1,
      });
      await long;
      expect(inUse(partitioned)).toBe(0);
    });
  });
});
