import { expect } from '@jest/globals';
import { runIn } from '../../src/index.ts';
import {
  describeBoth,
  grantsDuring,
  inUse,
  openDivided,
  openServer,
  rejection,
  serverUrl,
  slow,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const options = {
  partitions: { order: 2, batch: { size: 1, acquireTimeoutMillis: 100 } },
  defaultPartition: 'order',
} as const;

describeBoth('a transaction', (mongoose) => {
  testWith('transactions')(
    'stays where it began; the next one of its session is free',
    async () => {
      const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), options);
      const Thing = thingOf(connection);
      await Thing.createCollection();
      const session = await connection.startSession();
      session.startTransaction();
      const first = await grantsDuring(partitioned, async () => {
        await runIn('batch', () => Thing.create([{ n: 1 }], { session }));
        await Thing.find().session(session);
        await runIn('order', () => Thing.find().session(session));
        await session.commitTransaction();
      });
      expect(first).toEqual({ batch: 3 });
      session.startTransaction();
      const second = await grantsDuring(partitioned, async () => {
        await Thing.find().session(session);
        await runIn('batch', () => Thing.find().session(session));
        await session.abortTransaction();
      });
      expect(second).toEqual({ order: 2 });
      await session.endSession();
    },
  );

  testWith('ownServer')('commits and aborts while its partition is full', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, options, { maxPoolSize: 4 });
    const batch = partitioned.partition('batch');
    const Thing = thingOf(batch);
    for (const end of ['commitTransaction', 'abortTransaction'] as const) {
      const session = await batch.startSession();
      session.startTransaction();
      await Thing.create([{ name: end }], { session });
      const long = slow(batch, 80);
      await until(() => partitioned.isFull('batch'));
      await session[end]();
      expect(partitioned.isFull('batch')).toBe(true);
      expect(server.sessions.openTransactions).toBe(0);
      await long;
      await session.endSession();
    }
    expect(await Thing.find().distinct('name')).toEqual(['commitTransaction']);
  });

  testWith('ownServer')('is aborted when one of its operations gets no connection', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const batch = partitioned.partition('batch');
    const Thing = thingOf(batch);
    let attempts = 0;
    let long: Promise<unknown> | undefined;
    const error = await rejection(
      batch.transaction(async (session) => {
        attempts++;
        await Thing.create([{ n: 1 }], { session });
        long = slow(batch, 200);
        await until(() => partitioned.isFull('batch'));
        await Thing.create([{ n: 2 }], { session });
      }),
    );
    expect(error).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', partition: 'batch' });
    expect(attempts).toBe(1);
    expect(server.log.count('abortTransaction')).toBe(1);
    expect(server.sessions.openTransactions).toBe(0);
    await long;
    expect(await Thing.countDocuments()).toBe(0);
    expect(inUse(partitioned)).toBe(0);
  });

  testWith('ownServer')(
    'is begun again after an error that the server calls transient',
    async () => {
      const server = await openServer();
      const { partitioned } = await openDivided(mongoose, server.url, options);
      const batch = partitioned.partition('batch');
      const Thing = thingOf(batch);
      const error = { code: 112, name: 'WriteConflict', labels: ['TransientTransactionError'] };
      server.faults.add({ command: 'insert', times: 2, error });
      const granted = await grantsDuring(partitioned, () =>
        batch.transaction((session) => Thing.create([{ n: 1 }], { session })),
      );
      expect(granted).toEqual({ batch: 3 });
      expect(await Thing.countDocuments()).toBe(1);
    },
  );
});
