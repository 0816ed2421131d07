import { once } from 'node:events';
import type net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mysql2 from 'mysql2';
import { MongoServer } from '../support/mongo-server/server.ts';
import { url } from '../support/pg.ts';
import { makeConsumer, type Consumer, type Outcome } from './consumer.ts';

/** How a test of somebody's own opens a pool of one connection in `order`, and ends it. */
const drivers = {
  pg: `
    const { Pool } = require('watertight/pg');
    exports.open = async () => {
      const pool = new Pool({ connectionString: process.env.PG_URL, partitions: { order: 1 } });
      const order = pool.partition('order');
      return { query: () => order.query('select 1'), end: () => pool.end() };
    };`,
  mysql2: `
    const { createPool } = require('watertight/mysql2/promise');
    exports.open = async () => {
      const pool = createPool({ uri: process.env.MYSQL_URL, partitions: { order: 1 } });
      const order = pool.partition('order');
      return { query: () => order.query('select 1'), end: () => pool.end() };
    };`,
  mongoose: `
    const mongoose = require('mongoose');
    const { partitionConnection } = require('watertight/mongoose');
    exports.open = async () => {
      const connection = await mongoose.createConnection(process.env.MONGO_URL).asPromise();
      const partitioned = partitionConnection(connection, { partitions: { order: 1 } });
      const { db } = partitioned.partition('order');
      return { query: () => db.command({ ping: 1 }), end: () => partitioned.end() };
    };`,
} as const;

/** What of Node the drivers themselves cannot do without: docs/testing.md. */
const keptReal: Readonly<Record<string, string>> = {
  pg: '[]',
  mysql2: `['nextTick']`,
  mongoose: `['nextTick', 'queueMicrotask']`,
};

let consumer: Consumer;
let mongo: MongoServer;
let mysql: { readonly url: string; close(): void };

beforeAll(async () => {
  consumer = await makeConsumer(['pg', 'mysql2', 'mongoose', 'jest']);
  for (const [driver, text] of Object.entries(drivers)) await consumer.write(`${driver}.js`, text);
  mongo = new MongoServer('standalone');
  await mongo.listen();
  mysql = await listenAsMysql();
});

afterAll(async () => {
  await consumer?.remove();
  await mongo?.close();
  mysql?.close();
});

/** The server that mysql2 brings, which says ok to everything. */
async function listenAsMysql(): Promise<typeof mysql> {
  const server = mysql2.createServer((connection) => {
    // A number of each packet, from 0 for each command.
    const beginAnew = (): unknown => Object.assign(connection, { sequenceId: 0 });
    connection.on('error', () => {});
    connection.serverHandshake({
      ...{ protocolVersion: 10, serverVersion: '9.0.0', connectionId: 1, statusFlags: 2 },
      ...{ characterSet: 8, capabilityFlags: 0xff_ff_ff },
      authCallback: (_: unknown, welcome: (error: null) => void) => {
        welcome(null);
        beginAnew();
      },
    });
    connection.on('query', () => {
      connection.writeOk();
      beginAnew();
    });
  }) as unknown as { readonly _server: net.Server };
  const listener = server._server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as net.AddressInfo;
  return { url: `mysql://127.0.0.1:${port}/shop`, close: () => listener.close() };
}

/** Runs one test file with jest, as a user would. */
async function runJest(file: string, text: string, ...more: string[]): Promise<Outcome> {
  await consumer.write(`${file}.test.js`, text);
  // jest keeps its cache among the temporary files.
  const env = {
    PG_URL: url(),
    MONGO_URL: mongo.url,
    MYSQL_URL: mysql.url,
    TMPDIR: consumer.folder,
    CI: 'true',
  };
  const jest = 'node_modules/jest/bin/jest.js';
  return consumer.run([jest, '--runInBand', ...more, '--runTestsByPath', `${file}.test.js`], env);
}

const passed = { code: 0, stderr: expect.not.stringContaining('did not exit') };

describe.each(Object.keys(drivers))('a test with jest, on %s', (driver) => {
  test('exits by itself when it has ended its pool', async () => {
    const outcome = await runJest(
      `${driver}-exit`,
      `const { open } = require('./${driver}.js');
       let pool;
       beforeAll(async () => { pool = await open(); });
       afterAll(() => pool.end());
       test('queries', () => Promise.all([pool.query(), pool.query(), pool.query()]));`,
    );
    expect(outcome).toMatchObject(passed);
  });

  test('has its waiting callers served while its timers are fake', async () => {
    const outcome = await runJest(
      `${driver}-timers`,
      `const { open } = require('./${driver}.js');
       test('queries', async () => {
         const pool = await open();
         await pool.query();
         jest.useFakeTimers({ doNotFake: ${keptReal[driver]} });
         // The second and the third stand in line.
         await Promise.all([pool.query(), pool.query(), pool.query()]);
         jest.useRealTimers();
         await pool.end();
       });`,
      '--forceExit',
    );
    expect(outcome).toMatchObject({ code: 0 });
  });
});
