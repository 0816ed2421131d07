import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { partitionConnection } from '../../../drivers/mongoose/index.ts';
import { acquireTimeoutMillis, walls, type Ask, type Kinds } from './kind.ts';

export const mongooseKinds: Kinds = {
  async 'mongoose connection of 8'(url) {
    const connection = await connect(url, 8);
    return { askOf: () => findOne(connection), end: () => connection.close() };
  },

  async 'mongoose default partition of 8'(url) {
    const connection = await connect(url, 21);
    divide(connection);
    return { askOf: () => findOne(connection), end: () => connection.close() };
  },

  async 'mongoose handle of 8'(url) {
    const connection = await connect(url, 21);
    const handle = divide(connection).partition('order');
    return { askOf: () => findOne(handle), end: () => connection.close() };
  },
};

async function connect(url: string, maxPoolSize: number): Promise<Connection> {
  const options = { maxPoolSize, maxConnecting: 20, autoIndex: false, autoCreate: false };
  const connection = await mongoose.createConnection(url, options).asPromise();
  connection.model('Item', new mongoose.Schema({ _id: Number, name: String }));
  return connection;
}

const divide = (connection: Connection) =>
  partitionConnection(connection, {
    partitions: walls,
    defaultPartition: 'order',
    acquireTimeoutMillis,
    maxWaiting: Infinity,
  });

function findOne(connection: Connection): Ask {
  const model = connection.model('Item');
  return () => model.findOne({ _id: 1 }).exec();
}
