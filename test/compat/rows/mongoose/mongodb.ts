import { playMongo } from '../../support/mongo-contract.ts';
import { serveMongoClient } from '../../support/mongo.ts';

interface Item {
  name: string;
}

playMongo('mongodb', serveMongoClient, {
  open(partition) {
    // #region wire
    const items = partition.db().collection<Item>('items');
    // #endregion
    return { items, partition };
  },
  insert: ({ items }, name) => items.insertOne({ name }),
  names: async ({ items }) => (await items.find().toArray()).map(({ name }) => name),
  transaction: ({ items, partition }, work) =>
    partition.withSession((session) =>
      session.withTransaction(() => work((name) => items.insertOne({ name }, { session }))),
    ),
  async *stream({ items }) {
    for await (const { name } of items.find().batchSize(10)) yield name;
  },
  close: ({ partition }) => partition.close(),
  closeEndsPartition: false,
});
