import { expect, test } from '@jest/globals';
import { partitionClient } from '../../drivers/mongoose/index.ts';
import { runIn } from '../../src/index.ts';
import {
  closeAfterTest,
  describeBoth,
  grantsDuring,
  serverUrl,
  testWith,
} from '../support/mongo.ts';

const options = { partitions: { order: 2, batch: 1 }, defaultPartition: 'order' } as const;

describeBoth('a MongoClient without mongoose', (mongoose) => {
  const openClient = async () => {
    const client = new mongoose.mongo.MongoClient(await serverUrl(), { maxConnecting: 9 });
    closeAfterTest(() => client.close());
    return client;
  };

  test('is divided into clients, by name and by runIn', async () => {
    const client = await openClient();
    const partitioned = partitionClient(client, options);
    const batch = partitioned.partition('batch');
    expect(batch).toBeInstanceOf(mongoose.mongo.MongoClient);
    expect(partitioned.partition('batch')).toBe(batch);
    const granted = await grantsDuring(partitioned, async () => {
      await batch.db('test').collection('things').insertOne({ n: 1 });
      await runIn('batch', () => client.db('test').collection('things').findOne({}));
      await client.db('test').collection('things').findOne({});
    });
    expect(granted).toEqual({ batch: 2, order: 1 });
    expect([partitioned.isFull('batch'), partitioned.available('batch')]).toEqual([false, 1]);
  });

  testWith('transactions')('has sessions and transactions in its partition', async () => {
    const client = await openClient();
    const partitioned = partitionClient(client, options);
    const batch = partitioned.partition('batch');
    const things = batch.db('test').collection('things');
    const granted = await grantsDuring(partitioned, () =>
      batch.withSession((session) =>
        session.withTransaction(() => things.insertOne({ n: 2 }, { session })),
      ),
    );
    expect(granted).toEqual({ batch: 1 });
  });

  test('stays open when somebody closes what a partition shows of it', async () => {
    const client = await openClient();
    const partitioned = partitionClient(client, options);
    let closed = 0;
    client.on('topologyClosed', () => closed++);
    await partitioned.partition('order').db('test').command({ ping: 1 });
    await partitioned.partition('order').close();
    await partitioned.partition('batch').db('test').command({ ping: 1 });
    expect(closed).toBe(0);
  });

  test('is closed by end', async () => {
    const client = await openClient();
    const partitioned = partitionClient(client, options);
    await partitioned.partition('batch').db('test').command({ ping: 1 });
    await partitioned.end();
    expect(partitioned.stats().servers).toEqual({});
  });
});
