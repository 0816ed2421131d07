import { expect } from '@jest/globals';
import {
  describeBoth,
  inUse,
  openDivided,
  openServer,
  rejection,
  testWith,
  thingOf,
} from '../support/mongo.ts';

const options = {
  partitions: { order: 2, batch: { size: 1, acquireTimeoutMillis: 30 } },
  defaultPartition: 'order',
} as const;

describeBoth('behind a load balancer', (mongoose) => {
  testWith('loadBalanced')('an open cursor keeps its connection, and the permit', async () => {
    const server = await openServer('loadBalanced');
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const batch = partitioned.partition('batch');
    await thingOf(batch).insertMany([1, 2, 3, 4, 5].map((n) => ({ n })));
    const ways: ((cursor: ReturnType<ReturnType<typeof open>>) => Promise<unknown>)[] = [
      (cursor) => cursor.close(),
      async (cursor) => {
        while (await cursor.next());
      },
    ];
    for (const end of ways) {
      const cursor = open(batch)();
      await cursor.next();
      expect(partitioned.isFull('batch')).toBe(true);
      expect(await rejection(thingOf(batch).find())).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT' });
      await end(cursor);
      expect(inUse(partitioned)).toBe(0);
      await thingOf(batch).find();
    }
  });

  testWith('loadBalanced')('so does a transaction, until it ends', async () => {
    const server = await openServer('loadBalanced');
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const batch = partitioned.partition('batch');
    await batch.transaction(async (session) => {
      await thingOf(batch).create([{ n: 1 }], { session });
      expect(partitioned.isFull('batch')).toBe(true);
      await thingOf(batch).create([{ n: 2 }], { session });
    });
    expect(inUse(partitioned)).toBe(0);
    const session = await batch.startSession();
    session.startTransaction();
    await thingOf(batch).create([{ n: 3 }], { session });
    await session.abortTransaction();
    await session.endSession();
    expect(inUse(partitioned)).toBe(0);
    expect(await thingOf(batch).countDocuments()).toBe(2);
  });
});

/** A cursor of three batches. */
const open = (connection: Parameters<typeof thingOf>[0]) => () =>
  thingOf(connection).find().batchSize(2).cursor();
