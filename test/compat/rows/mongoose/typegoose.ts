import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getModelForClass, prop } from '@typegoose/typegoose';
import { playMongo } from '../../support/mongo-contract.ts';
import { serveMongoose } from '../../support/mongo.ts';

class Item {
  @prop({ type: String, required: true })
  name!: string;
}

playMongo('typegoose', serveMongoose, {
  open(partition) {
    // #region wire
    const ItemModel = getModelForClass(Item, { existingConnection: partition });
    // #endregion
    return { ItemModel, partition };
  },
  insert: ({ ItemModel }, name) => ItemModel.create({ name }),
  names: async ({ ItemModel }) => (await ItemModel.find()).map(({ name }) => name),
  transaction: ({ ItemModel, partition }, work) =>
    partition.transaction((session) => work((name) => ItemModel.create([{ name }], { session }))),
  async *stream({ ItemModel }) {
    for await (const { name } of ItemModel.find().cursor({ batchSize: 10 })) yield name;
  },
  close: ({ partition }) => partition.close(),
  closeEndsPartition: true,
});

test('a class has one model, unless it is told otherwise', async () => {
  const { order, partitioned, stop } = await serveMongoose('typegoose models');
  const batch = partitioned.partition('batch');
  const options = { disableCaching: true };
  const first = getModelForClass(Item, { existingConnection: order });
  assert.equal(getModelForClass(Item, { existingConnection: batch }), first);
  assert.equal(getModelForClass(Item, { existingConnection: order, options }).db, order);
  assert.equal(getModelForClass(Item, { existingConnection: batch, options }).db, batch);
  await stop();
});
