import { expect, test } from '@jest/globals';
import { ConnectionStates, Mongoose, type Connection } from 'mongoose';
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

  test('is refused for a connection that is not divided, or of another size', async () => {
    expect(await refusal(play({ createPool: stock as never }))).toMatch(
      /^createPool: expected what partitionConnection of watertight\/mongoose returns/,
    );
    const createSharedPool = ({ url }: PoolRequest) => stock({ url, max: 5 });
    expect(await refusal(play({ createPool: divided, createSharedPool }))).toBe(
      'createSharedPool: expected a connection with maxPoolSize 20, the max it is given, got 5',
    );
  });

  test('is refused when the connection has another url', async () => {
    const other = (request: PoolRequest) => divided({ ...request, url: urlOf('mongo') });
    expect(await refusal(play({ createPool: other }))).toMatch(
      /^createPool: expected a connection with the url it is given, whose appName is/,
    );
  });

  test('tells of a server that does not listen by its reason', async () => {
    const url = 'mongodb://u:s3cret@127.0.0.1:1/d?serverSelectionTimeoutMS=300';
    const error = await rejection(play({ url, createPool: divided }));
    expect(error.message).toMatch(/127.0.0.1:1\/d\S*: nothing listens there/);
    expect(error.message).not.toContain('s3cret');
  });
});
