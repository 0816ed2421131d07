import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { runIn } from '../../src/index.ts';
import {
  describeBoth,
  grantsDuring,
  inUse,
  openDivided,
  serverUrl,
  slow,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const options = { partitions: { order: 2, batch: 1 }, defaultPartition: 'order' } as const;

/** Existing code, which knows of no partition, and how many operations it is. */
const code: Record<string, readonly [number, (connection: Connection) => unknown]> = {
  'a query that is awaited': [1, async (connection) => void (await thingOf(connection).find())],
  'a query that is returned': [1, (connection) => thingOf(connection).find()],
  'an aggregate that is returned': [
    1,
    (connection) => thingOf(connection).aggregate([{ $match: { n: 1 } }]),
  ],
  'a create': [1, (connection) => thingOf(connection).create({ n: 1 })],
  'an insertMany': [1, (connection) => thingOf(connection).insertMany([{ n: 1 }])],
  'an update': [1, (connection) => thingOf(connection).updateOne({ n: 1 }, { $set: { n: 2 } })],
  'a count': [1, (connection) => thingOf(connection).countDocuments()],
  'a cursor': [
    2,
    async (connection) => {
      const cursor = thingOf(connection).find().limit(3).batchSize(2).cursor();
      for await (const thing of cursor) void thing;
    },
  ],
  'a stream': [
    2,
    (connection) => {
      const stream = thingOf(connection).find().limit(3).batchSize(2).cursor();
      return new Promise((resolve) => stream.on('data', () => {}).once('end', resolve));
    },
  ],
  eachAsync: [
    2,
    (connection) =>
      thingOf(connection)
        .find()
        .limit(3)
        .batchSize(2)
        .cursor()
        .eachAsync(async () => {}, { parallel: 2 }),
  ],
  'a command': [1, async (connection) => connection.db?.command({ ping: 1 })],
  'calls in a row': [
    2,
    async (connection) => {
      await thingOf(connection).find();
      await new Promise((resolve) => setTimeout(resolve, 1));
      await thingOf(connection).find();
    },
  ],
  'calls side by side': [
    2,
    (connection) => Promise.all([thingOf(connection).find(), thingOf(connection).find()]),
  ],
};

describeBoth('in runIn', (mongoose) => {
  const seeded = async () => {
    const divided = await openDivided(mongoose, await serverUrl(), options);
    const Thing = thingOf(divided.connection);
    await Thing.deleteMany({});
    await Thing.insertMany([{ n: 11 }, { n: 12 }, { n: 13 }, { n: 14 }]);
    return divided;
  };

  describe.each(Object.entries(code))('%s', (_, [count, run]) => {
    test('is in its partition, at once and when it has to wait', async () => {
      const { connection, partitioned } = await seeded();
      const idle = await grantsDuring(partitioned, () => runIn('batch', () => run(connection)));
      expect(idle).toEqual({ batch: count });
      const busy = runIn('batch', () => slow(connection, 20));
      await until(() => partitioned.isFull('batch'));
      const waiting = await grantsDuring(partitioned, () => runIn('batch', () => run(connection)));
      expect(waiting).toEqual({ batch: count });
      await busy;
      await until(() => inUse(partitioned) === 0);
    });
  });

  testWith('transactions')('a transaction is in its partition', async () => {
    const { connection, partitioned } = await seeded();
    const granted = await grantsDuring(partitioned, () =>
      runIn('batch', () =>
        connection.transaction(async (session) => {
          await thingOf(connection).create([{ n: 1 }], { session });
          await thingOf(connection).find().session(session);
        }),
      ),
    );
    expect(granted).toEqual({ batch: 2 });
  });

  test('the innermost counts', async () => {
    const { connection, partitioned } = await seeded();
    const granted = await grantsDuring(partitioned, () =>
      runIn('batch', () => runIn('order', () => thingOf(connection).find())),
    );
    expect(granted).toEqual({ order: 1 });
  });
});

describeBoth('the caller', (mongoose) => {
  test('goes on in its own context, also when another served it', async () => {
    const { connection } = await openDivided(mongoose, await serverUrl(), options);
    const storage = new AsyncLocalStorage<number>();
    const seen = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        storage.run(n, async () => {
          await slow(connection, 5);
          return storage.getStore();
        }),
      ),
    );
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
