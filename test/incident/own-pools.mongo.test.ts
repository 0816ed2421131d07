import { expect, test } from '@jest/globals';
import { ConnectionStates, mongo, Mongoose, type Connection } from 'mongoose';
import { partitionConnection } from '../../drivers/mongoose/index.ts';
import type { PoolRequest, RehearseOptions } from '../../rehearsal/library/index.ts';
import { describeOn } from '../servers/describe-on.ts';
import { urlOf } from '../servers/urls.ts';
import { rejection } from '../support/pg.ts';
import { partitions, playShort, refusal } from './short.ts';

const stock = ({ url, max }: PoolRequest): Connection =>
  new Mongoose().createConnection(url, { maxPoolSize: max, maxConnecting: max });
const divided = (request: PoolRequest) =>
  partitionConnection(stock(request), { partitions, finishReserve: 0 });

/** The connection itself, and not what divides it. */
const inPlace = (request: PoolRequest): Connection => {
  const connection = stock(request);
  partitionConnection(connection, { partitions, finishReserve: 0 });
  return connection;
};

describeOn('mongo')('a rehearsal of a connection of mongoose', () => {
  const play = (options: Partial<RehearseOptions>) =>
    playShort({ driver: 'mongoose', url: urlOf('mongo'), ...options });

  test('plays it and closes each connection', async () => {
    const made: Connection[] = [];
    const kept = (request: PoolRequest): Connection => {
      const connection = stock(request);
      made.push(connection);
      return connection;
    };
    const result = await play({
      createPool: (request) => partitionConnection(kept(request), { partitions, finishReserve: 0 }),
      createSharedPool: kept,
    });
    expect(result).toMatchObject({ driver: 'mongoose', max: 20 });
    expect(result.runs.map(({ serverPeak }) => serverPeak)).toEqual([20, 20, 20]);
    expect(result.partition('order')).toMatchObject({ offered: 200, failed: 0 });
    expect(result.partition('batch').served).toBeGreaterThan(0);
    expect(made.length).toBeGreaterThanOrEqual(4);
    expect(made.filter(({ readyState }) => readyState !== ConnectionStates.disconnected)).toEqual(
      [],
    );
  }, 60_000);

  test('needs no more than the partitions', async () => {
    expect(await play({ partitions })).toMatchObject({
      max: 20,
      partitions: { batch: { size: 4 } },
    });
  }, 60_000);

  test.each<[name: string, factory: (request: PoolRequest) => unknown, got: string]>([
    ['null', () => null, 'null'],
    ['a client', ({ url }) => new mongo.MongoClient(url), 'an object of the class MongoClient'],
    ['a partition', (request) => divided(request).partition('order'), 'one partition of a pool'],
    ['an undivided connection', stock, 'one without'],
    ['a connection that is divided', inPlace, 'a connection that is divided'],
  ])('is refused when createPool makes %s', async (_, factory, got) => {
    expect(await refusal(play({ createPool: factory as never }))).toBe(
      'createPool: expected what partitionConnection of watertight/mongoose returns, ' +
        `which has partitions; got ${got}`,
    );
  });

  test('is refused for the same connection at each call', async () => {
    let made: ReturnType<typeof divided> | undefined;
    const one = (request: PoolRequest) => (made ??= divided(request));
    expect(await refusal(play({ createPool: one }))).toMatch(
      /^createPool: expected a new pool at each call, got one that has ended; each is ended after/,
    );
  });

  test('is refused for a shared connection that is divided, or of another size', async () => {
    for (const [factory, got] of [
      [divided, 'one with partitions'],
      [inPlace, 'a connection that is divided'],
    ] as const) {
      expect(await refusal(play({ createPool: divided, createSharedPool: factory }))).toBe(
        `createSharedPool: expected a connection of mongoose without partitions; got ${got}`,
      );
    }
    const createSharedPool = ({ url }: PoolRequest) => stock({ url, max: 5 });
    expect(await refusal(play({ createPool: divided, createSharedPool }))).toBe(
      'createSharedPool: expected a connection of mongoose of 20 connections, the max it is given, got 5',
    );
  });

  test('is refused when the connection has another url', async () => {
    const other = (request: PoolRequest) => divided({ ...request, url: urlOf('mongo') });
    expect(await refusal(play({ createPool: other }))).toMatch(
      /^createPool: expected a connection with the url it is given, which has monitorCommands/,
    );
  });

  test('tells of a server that does not listen by its reason', async () => {
    const url = 'mongodb://u:s3cret@127.0.0.1:1/d?serverSelectionTimeoutMS=300';
    const error = await rejection(play({ url, createPool: divided }));
    expect(error.message).toMatch(/127.0.0.1:1\/d\S*: nothing listens there/);
    expect(error.message).not.toContain('s3cret');
  });
});
