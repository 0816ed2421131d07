import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoServer } from '../support/mongo-server/server.ts';
import { url } from '../support/pg.ts';
import { makeConsumer, type Consumer } from './consumer.ts';

let consumer: Consumer;
let mongo: MongoServer;

beforeAll(async () => {
  consumer = await makeConsumer(['pg', '@types/pg', 'mysql2', 'mongoose', '@types/node']);
  mongo = new MongoServer('standalone');
  await mongo.listen();
});

afterAll(async () => {
  await consumer?.remove();
  await mongo?.close();
});

/** What a program says that loads this module twice, as a development server does after a change. */
async function loadTwice(module: string, program: string): Promise<unknown> {
  await consumer.write('db.mjs', module);
  const text = `const [first, second] = [await import('./db.mjs?1'), await import('./db.mjs?2')];\n${program}`;
  const { code, stdout, stderr } = await consumer.node('reload.mjs', text, {
    PG_URL: url(),
    MONGO_URL: mongo.url,
  });
  return { code, stdout, stderr };
}

const says = (stdout: string): unknown => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });

describe('a module that is loaded again', () => {
  test('goes on with the pool that it kept in globalThis', async () => {
    const module = `
      import { Pool } from 'watertight/pg';
      const made = () => new Pool({ connectionString: process.env.PG_URL, partitions: { order: 2 } });
      export const pool = (globalThis.pool ??= made());`;
    const program = `
      const both = [first, second].map(({ pool }) => pool.partition('order'));
      const held = await Promise.all(both.map((order) => order.connect()));
      console.log(first.pool === second.pool, first.pool.totalCount, both[1].isFull);
      held.forEach((client) => client.release());
      await first.pool.end();`;
    expect(await loadTwice(module, program)).toEqual(says('true 2 true'));
  });

  test('is told when it divides a connection of mongoose a second time', async () => {
    const module = `
      import mongoose from 'mongoose';
      import { partitionConnection } from 'watertight/mongoose';
      if (mongoose.connection.readyState === 0) await mongoose.connect(process.env.MONGO_URL);
      export const outcome = (() => {
        try {
          return partitionConnection(mongoose.connection, { partitions: { order: 1 } });
        } catch (error) {
          return error.message;
        }
      })();`;
    const program = `console.log(second.outcome); await first.outcome.end();`;
    expect(await loadTwice(module, program)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the connections of this client are divided already'),
    });
  });

  test('goes on with the division that it kept in globalThis', async () => {
    const module = `
      import mongoose from 'mongoose';
      import { partitionConnection } from 'watertight/mongoose';
      if (mongoose.connection.readyState === 0)
        await mongoose.connect(process.env.MONGO_URL, { maxConnecting: 9 });
      const divide = () => partitionConnection(mongoose.connection, { partitions: { order: 1 } });
      export const partitioned = (globalThis.partitioned ??= divide());`;
    const program = `
      await second.partitioned.partition('order').db.command({ ping: 1 });
      console.log(first.partitioned === second.partitioned,
        first.partitioned.stats().totals.order.counters.granted);
      await first.partitioned.end();`;
    expect(await loadTwice(module, program)).toEqual(says('true 1'));
  });
});

test('`await using` ends a pool, and undoes the division of what is not ours', async () => {
  await consumer.write(
    'using.mts',
    `import mongoose from 'mongoose';
     import { Partitioner } from 'watertight';
     import { partitionConnection } from 'watertight/mongoose';
     import { createPool } from 'watertight/mysql2/promise';
     import { Pool } from 'watertight/pg';
     export async function use(): Promise<void> {
       await using partitioner = new Partitioner({ partitions: { llm: 1 } });
       await using pool = new Pool({ partitions: { order: 1 } });
       await using order = pool.partition('order');
       await using other = createPool({ partitions: { order: 1 } });
       await using divided = partitionConnection(mongoose.connection, { partitions: { order: 1 } });
       void [partitioner, order, other, divided];
     }`,
  );
  expect(await consumer.typecheck(['using.mts'])).toEqual({ code: 0, stdout: '', stderr: '' });
});
