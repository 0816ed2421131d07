import { expect, test } from '@jest/globals';
import { runIn } from '../../src/index.ts';
import {
  describeBoth,
  grantsDuring,
  inUse,
  openDivided,
  openServer,
  serverUrl,
  slow,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const options = { partitions: { order: 2, batch: 1 }, defaultPartition: 'order' } as const;

describeBoth('a cursor', (mongoose) => {
  const seeded = async (url: string) => {
    const divided = await openDivided(mongoose, url, options);
    await thingOf(divided.connection).deleteMany({});
    await thingOf(divided.connection).insertMany([1, 2, 3, 4, 5].map((n) => ({ n })));
    return divided;
  };

  test('stays where it was opened, whoever reads on', async () => {
    const { connection, partitioned } = await seeded(await serverUrl());
    const things = thingOf(connection).collection;
    const granted = await grantsDuring(partitioned, async () => {
      const cursor = things.find({}, { batchSize: 2 });
      await runIn('batch', () => cursor.next());
      await cursor.toArray();
    });
    expect(granted).toEqual({ batch: 3 });
    const outside = await grantsDuring(partitioned, async () => {
      const cursor = things.find({}, { batchSize: 2 });
      await cursor.next();
      await runIn('batch', () => cursor.toArray());
    });
    expect(outside).toEqual({ order: 3 });
  });

  test('stays there in a session of its user, other operations of which do not', async () => {
    const { connection, partitioned } = await seeded(await serverUrl());
    const session = await connection.startSession();
    const things = thingOf(connection).collection;
    const granted = await grantsDuring(partitioned, async () => {
      const cursor = things.find({}, { batchSize: 2, session });
      await runIn('batch', () => cursor.next());
      await things.countDocuments({}, { session });
      await cursor.toArray();
    });
    expect(granted).toEqual({ batch: 3, order: 1 });
    await session.endSession();
  });

  testWith('ownServer')('is ended without a wait for a permit when it is left', async () => {
    const server = await openServer();
    const { connection, partitioned } = await seeded(server.url);
    await runIn('batch', async () => {
      const cursor = thingOf(connection).find().batchSize(2).cursor();
      await cursor.next();
      const long = slow(connection, 60);
      await until(() => partitioned.isFull('batch'));
      await cursor.close();
      expect(partitioned.isFull('batch')).toBe(true);
      await long;
    });
    expect(server.log.count('killCursors')).toBe(1);
    expect(server.cursors.open).toBe(0);
    expect(inUse(partitioned)).toBe(0);
  });
});
