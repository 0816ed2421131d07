import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Schema, type Connection } from 'mongoose';
import { playMongo } from '../../support/mongo-contract.ts';
import { serveMongoose, type ServedMongo } from '../../support/mongo.ts';

const schema = new Schema({ name: { type: String, required: true } });

playMongo('mongoose', serveMongoose, {
  open(partition) {
    // #region wire
    const Item = partition.model('Item', schema);
    // #endregion
    return { Item, partition };
  },
  insert: ({ Item }, name) => Item.create({ name }),
  names: async ({ Item }) => (await Item.find()).map(({ name }) => name),
  transaction: ({ Item, partition }, work) =>
    partition.transaction((session) => work((name) => Item.create([{ name }], { session }))),
  async *stream({ Item }) {
    for await (const { name } of Item.find().cursor({ batchSize: 10 })) yield name;
  },
  close: ({ partition }) => partition.close(),
  closeEndsPartition: true,
});

describe('mongoose: documents that refer to others', () => {
  let served: ServedMongo<Connection>;
  before(async () => (served = await serveMongoose('mongoose refs')));
  after(() => served.stop());

  test('populate', async () => {
    const { order } = served;
    const Item = order.model('Item', schema);
    const Box = order.model('Box', new Schema({ items: [{ type: 'ObjectId', ref: 'Item' }] }));
    const items = await Item.create([{ name: 'first' }, { name: 'second' }]);
    await Box.create({ items: items.map(({ _id }) => _id) });
    const granted = served.granted();
    const box = await Box.findOne().populate<{ items: { name: string }[] }>('items');
    assert.deepEqual(
      box?.items.map(({ name }) => name),
      ['first', 'second'],
    );
    assert.equal(served.granted(), granted + 2);
  });
});
