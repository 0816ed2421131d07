import { afterEach, describe, test } from '@jest/globals';
import mongoose9 from 'mongoose';
import type { Connection, ConnectOptions, Model } from 'mongoose';
import {
  partitionConnection,
  type Partitioned,
  type PartitionedOptions,
} from '../../drivers/mongoose/index.ts';
import { MongoServer } from './mongo-server/server.ts';
import type { Topology } from './mongo-server/hello.ts';

export type Mongoose = typeof mongoose9;

// Not imported: the types of two mongooses cannot be in one program.
const mongoose8 = require('mongoose-8') as Mongoose;

/** Both majors that are supported, each with a driver of its own. */
const mongooses: readonly (readonly [string, Mongoose])[] = [mongoose9, mongoose8].map(
  (mongoose) => [`mongoose ${mongoose.version.split('.')[0]}`, mongoose],
);

export const describeBoth = (name: string, define: (mongoose: Mongoose) => void): void => {
  describe.each(mongooses)(`${name} (%s)`, (_, mongoose) => define(mongoose));
};

/** What a server can do. Ours can do everything; that of `MONGO_URL` what its URL promises. */
const url: string | undefined = process.env['MONGO_URL'];
const isReplicaSet: boolean = url?.includes('replicaSet=') ?? true;
type Capability = 'transactions' | 'changeStreams' | 'killSessions' | 'loadBalanced' | 'ownServer';
const CAPABILITIES: Readonly<Record<Capability, boolean>> = {
  transactions: isReplicaSet,
  changeStreams: isReplicaSet,
  killSessions: isReplicaSet,
  loadBalanced: url === undefined,
  /** Its log of commands and connections, and failures on demand. */
  ownServer: url === undefined,
};

/** A test that needs something of the server; skipped, with the reason, where that is missing. */
export function testWith(...needed: Capability[]): (name: string, fn: () => Promise<void>) => void {
  const missing = needed.filter((capability) => !CAPABILITIES[capability]);
  if (missing.length === 0) return test;
  return (name, fn) => test.skip(`${name} (skipped: the server has no ${missing.join(', ')})`, fn);
}

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** To be closed after the test, before everything that was opened earlier. */
export const closeAfterTest = (close: () => Promise<unknown>): void => {
  closing.push(close);
};

export async function openServer(topology?: Topology): Promise<MongoServer> {
  const server = new MongoServer(topology);
  await server.listen();
  closeAfterTest(() => server.close());
  return server;
}

/** The address of the server to test on: our own, or that of `MONGO_URL`. */
export async function serverUrl(): Promise<string> {
  return url ?? (await openServer()).url;
}

/** A connection, closed after the test. Not awaited: it connects meanwhile. */
export function open(mongoose: Mongoose, to: string, options?: ConnectOptions): Connection {
  const connection = mongoose.createConnection(to, {
    serverSelectionTimeoutMS: 5000,
    maxConnecting: 50,
    heartbeatFrequencyMS: 500,
    ...options,
  });
  connection.on('error', () => {});
  connection.asPromise().catch(() => {});
  closeAfterTest(() => connection.close(true));
  return connection;
}

export interface Divided<Name extends string> {
  readonly connection: Connection;
  readonly partitioned: Partitioned<Name, Connection>;
}

/** A divided connection that is connected. */
export async function openDivided<Name extends string>(
  mongoose: Mongoose,
  to: string,
  options: PartitionedOptions<Name>,
  connect?: ConnectOptions,
): Promise<Divided<Name>> {
  const connection = open(mongoose, to, connect);
  const partitioned = partitionConnection(connection, options);
  await connection.asPromise();
  return { connection, partitioned };
}

interface Thing {
  name?: string;
  n?: number;
}

/** A model of things, which needs nothing but the connection. */
export function thingOf(connection: Connection): Model<Thing> {
  const known = connection.models['Thing'] as Model<Thing> | undefined;
  const { Schema } = connection.base;
  const options = { autoIndex: false, autoCreate: false };
  return (
    known ??
    connection.model<Thing>('Thing', new Schema<Thing>({ name: String, n: Number }, options))
  );
}

/** A query that keeps its connection for so long. */
export const slow = (connection: Connection, millis: number): Promise<unknown> =>
  url
    ? thingOf(connection).findOne().$where(`sleep(${millis}) || true`).exec()
    : thingOf(connection).findOne().comment(`sleep:${millis}`).exec();

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}

export async function rejection(
  promise: PromiseLike<unknown>,
): Promise<Error & { code?: string | number }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a rejection');
}

/** How many operations each partition granted while this ran; none is not mentioned. */
export async function grantsDuring(
  partitioned: Partitioned<string, unknown>,
  run: () => unknown,
): Promise<Record<string, number>> {
  const before = partitioned.stats().totals;
  await run();
  const after = Object.entries(partitioned.stats().totals).map(([name, { counters }]) => [
    name,
    counters.granted - (before[name]?.counters.granted ?? 0),
  ]);
  return Object.fromEntries(after.filter(([, count]) => count !== 0)) as Record<string, number>;
}

/** Permits in use and callers in line, of all partitions. */
export const inUse = (partitioned: Partitioned<string, unknown>): number =>
  Object.values(partitioned.stats().totals).reduce(
    (sum, { gauges }) => sum + gauges.inUse + gauges.waiting,
    0,
  );
