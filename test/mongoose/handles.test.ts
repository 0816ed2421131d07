import { expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { partitionConnection } from '../../drivers/mongoose/index.ts';
import { runIn } from '../../src/index.ts';
import {
  describeBoth,
  grantsDuring,
  open,
  openDivided,
  rejection,
  serverUrl,
  thingOf,
  type Mongoose,
} from '../support/mongo.ts';

const options = {
  partitions: { order: 4, batch: 4 },
  defaultPartition: 'order',
} as const;

const quiet = { autoIndex: false, autoCreate: false };

/** A shop: authors have books, and books may be of a kind. */
function defineShop(mongoose: Mongoose, connection: Connection): void {
  const { Schema } = mongoose;
  const author = new Schema(
    { name: String },
    { ...quiet, statics: { named: async (name: string) => ({ name }) } },
  );
  author.virtual('books', { ref: 'Book', localField: '_id', foreignField: 'author' });
  author.method('shout', function (this: { name: string }) {
    return this.name.toUpperCase();
  });
  connection.model('Author', author);
  const book = new Schema(
    { title: String, author: { type: Schema.Types.ObjectId, ref: 'Author' } },
    { ...quiet, discriminatorKey: 'kind' },
  );
  connection.model('Book', book).discriminator('Comic', new Schema({ panels: Number }, quiet));
}

describeBoth('a handle', (mongoose) => {
  const openShop = async () => {
    const divided = await openDivided(mongoose, await serverUrl(), options);
    await divided.connection.dropDatabase();
    defineShop(mongoose, divided.connection);
    return { ...divided, batch: divided.partitioned.partition('batch') };
  };

  test('has the models of the base as heirs, with statics, methods and documents', async () => {
    const { connection, batch } = await openShop();
    const [Base, Author] = [connection.model('Author'), batch.model('Author')];
    expect(Author).not.toBe(Base);
    expect(batch.model('Author')).toBe(Author);
    const author = new Author({ name: 'Ann' });
    expect(author).toBeInstanceOf(Base);
    expect((author as unknown as { shout(): string }).shout()).toBe('ANN');
    expect(await (Author as unknown as { named(name: string): unknown }).named('x')).toEqual({
      name: 'x',
    });
    expect(batch.modelNames().toSorted()).toEqual(['Author', 'Book', 'Comic']);
  });

  test('has those that come later and those that are replaced, and may have its own', async () => {
    const { connection, batch } = await openShop();
    connection.model('Later', new mongoose.Schema({ n: Number }, quiet));
    const first = batch.model('Later');
    expect(first.db).toBe(batch);
    connection.deleteModel('Later');
    connection.model('Later', new mongoose.Schema({ text: String }, quiet));
    expect(batch.model('Later')).not.toBe(first);
    expect(batch.model('Later').schema.path('text')).toBeDefined();
    const own = batch.model('Own', new mongoose.Schema({ n: Number }, quiet));
    expect(batch.model('Own')).toBe(own);
    expect(connection.modelNames()).not.toContain('Own');
    expect(() => batch.model('Nothing')).toThrow(mongoose.Error.MissingSchemaError);
  });

  test('populates in its own partition, references and virtuals', async () => {
    const { connection, partitioned, batch } = await openShop();
    const author = await connection.model('Author').create({ name: 'Ann' });
    await connection.model('Book').create({ title: 'One', author });
    let found: unknown;
    const granted = await grantsDuring(partitioned, async () => {
      found = await batch.model('Book').find().populate('author').lean();
      await batch.model('Author').find().populate('books');
    });
    expect(found).toMatchObject([{ title: 'One', author: { name: 'Ann' } }]);
    expect(granted).toEqual({ batch: 4 });
  });

  test('keeps discriminators in its own partition', async () => {
    const { partitioned, batch } = await openShop();
    const granted = await grantsDuring(partitioned, async () => {
      const comic = await batch.model('Comic').create({ title: 'Two', panels: 6 });
      comic.set('panels', 7);
      await comic.save();
      const found = await batch.model('Book').findOne({ title: 'Two' });
      expect(found?.get('panels')).toBe(7);
      found?.set('title', 'Three');
      await found?.save();
      await found?.model('Book').find();
    });
    expect(granted).toEqual({ batch: 5 });
  });

  test('stays in its partition whatever runIn says', async () => {
    const { partitioned, batch } = await openShop();
    const granted = await grantsDuring(partitioned, () =>
      runIn('order', () => batch.model('Author').find()),
    );
    expect(granted).toEqual({ batch: 1 });
  });

  test('works on other databases too', async () => {
    const { partitioned, batch } = await openShop();
    const granted = await grantsDuring(partitioned, async () => {
      await thingOf(batch.useDb('another')).find();
      await batch.getClient().db('third').collection('things').findOne({});
    });
    expect(granted).toEqual({ batch: 2 });
  });

  test('of a connection to another database of the same client is of that database', async () => {
    const base = open(mongoose, await serverUrl());
    const other = base.useDb('another');
    const partitioned = partitionConnection(other, options);
    const handle = partitioned.partition('batch');
    await thingOf(handle).findOne();
    expect([handle.name, handle.db?.databaseName]).toEqual(['another', 'another']);
    await base.asPromise();
    const granted = await grantsDuring(partitioned, () => thingOf(base).find());
    expect(granted).toEqual({ order: 1 });
  });

  test('does not take the sessions of the base, and starts its own', async () => {
    const { connection, partitioned, batch } = await openShop();
    const foreign = await connection.startSession();
    const error = await rejection(batch.model('Author').find().session(foreign));
    expect(error.message).toContain('ClientSession must be from the same MongoClient');
    await foreign.endSession();
    const session = await batch.startSession();
    const granted = await grantsDuring(partitioned, async () => {
      await batch.model('Author').find().session(session);
    });
    expect(granted).toEqual({ batch: 1 });
    await session.endSession();
  });

  test('closes alone; the base and the other handles stay open', async () => {
    const { connection, partitioned, batch } = await openShop();
    const closed = new Promise((resolve) => batch.once('close', resolve));
    await batch.close();
    await closed;
    expect(batch.readyState).toBe(0);
    expect(connection.readyState).toBe(1);
    await connection.model('Author').find();
    const again = partitioned.partition('batch');
    expect(again).not.toBe(batch);
    await again.model('Author').find();
  });

  test('closes with the base', async () => {
    const { connection, batch } = await openShop();
    const closed = new Promise((resolve) => batch.once('close', resolve));
    await connection.close();
    await closed;
    expect(batch.readyState).toBe(0);
  });
});

describeBoth('a single call', (mongoose) => {
  test('may name its partition; a misspelt one is an error', async () => {
    const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const Thing = thingOf(connection);
    const granted = await grantsDuring(partitioned, async () => {
      await Thing.find().setOptions({ partition: 'batch' });
      await Thing.aggregate([{ $match: {} }]).option({ partition: 'batch' } as object);
      await Thing.updateOne({ n: 1 }, { $set: { n: 2 } }).setOptions({ partition: 'batch' });
    });
    expect(granted).toEqual({ batch: 3 });
    expect(await rejection(Thing.find().setOptions({ partition: 'bach' }))).toMatchObject({
      message: "unknown partition 'bach' in the options; there are: 'order', 'batch'",
    });
  });
});
