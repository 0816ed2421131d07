import { setTimeout as delay } from 'node:timers/promises';
import type mongoose from 'mongoose';
import type { partitionConnection } from 'watertight/mongoose';
import { MongoServer } from '../../../support/mongo-server/server.ts';
import type { Partition, Traced } from './scenario.ts';

/** Both of modules that were loaded after the tracer. */
export async function traceMongoose(
  createConnection: typeof mongoose.createConnection,
  partition: typeof partitionConnection,
): Promise<Traced> {
  const server = new MongoServer();
  await server.listen();
  const connection = await createConnection(server.url, {
    maxPoolSize: 5,
    maxConnecting: 4,
  }).asPromise();
  const partitioned = partition(connection, {
    partitions: { order: 2, batch: 2 },
    acquireTimeoutMillis: 20_000,
  });
  // What tracers show of a command is the collection, not the values.
  const collection = (in_: Partition, name: string) =>
    partitioned.partition(in_).db!.collection(name);
  return {
    styles: {
      find: {
        statements: 1,
        run: (in_, name) => collection(in_, name).findOne({}),
      },
      insert: { statements: 1, run: (in_, name) => collection(in_, name).insertOne({ name }) },
      cursor: { statements: 1, run: (in_, name) => collection(in_, name).find().toArray() },
      model: {
        statements: 2,
        async run(in_, name) {
          const { Schema } = connection.base;
          const schema = new Schema({ n: Number }, { autoCreate: false, autoIndex: false });
          const Item = partitioned.partition(in_).model(name, schema, name);
          await Item.create({ n: 1 });
          await Item.findOne().exec();
        },
      },
    },
    async fill() {
      const order = partitioned.partition('order').db!;
      const holding = [1, 2].map(() => order.command({ ping: 1, comment: 'hold it' }));
      while (server.log.running.length < 2) await delay(1);
      return async () => {
        server.interrupt('hold it');
        await Promise.allSettled(holding);
      };
    },
    inUse: () => partitioned.stats().totals['order']!.gauges.inUse,
    async stop() {
      await partitioned.end();
      await server.close();
    },
  };
}
