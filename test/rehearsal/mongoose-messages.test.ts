import { describe, expect, test } from '@jest/globals';
import { cannotConnect } from '../../rehearsal/mongoose/failures.ts';
import { mongooseRehearsal } from '../../rehearsal/mongoose/index.ts';
import { adapt } from '../../rehearsal/mongoose/adapt.ts';
import { labelUrl, parseMongoUrl } from '../../rehearsal/mongoose/url.ts';
import { roomOf } from '../../rehearsal/mongoose/witness.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { leakyClient } from '../../scenarios/leaky-client.ts';

const withCode = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code });

/** As the driver tells it: what it looked for, and what each server answered. */
const selectionError = (cause: Error): Error =>
  Object.assign(new Error('Server selection timed out'), {
    reason: { servers: new Map([['db:27017', { error: cause }]]) },
  });

describe('a URL', () => {
  test('must be one of MongoDB', () => {
    expect(() => parseMongoUrl('mysql://a:s3cret@h/d')).toThrow(
      /mysql:\/\/a:\*\*\*@h\/d is not the URL of a MongoDB server; expected mongodb:/,
    );
    expect(() => parseMongoUrl('localhost')).toThrow(/not the URL of a MongoDB server/);
  });

  test.each([
    ['mongodb://a:1,b:2/shop?replicaSet=rs&appname=shop', 'mongodb://a:1,b:2/shop?replicaSet=rs&'],
    ['mongodb+srv://u:p%40@h', 'mongodb+srv://u:p%40@h/?'],
  ])('gets the label and tells of commands, whatever it was: %s', (given, begin) => {
    expect(labelUrl(given, 'run 1')).toBe(`${begin}appName=run+1&monitorCommands=true`);
  });
});

describe('a refused connection', () => {
  const refused = withCode('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED');
  test.each([
    [selectionError(refused), /: nothing listens there \(connect ECONNREFUSED/],
    [selectionError(new Error('network', { cause: refused })), /: nothing listens there/],
    [withCode('querySrv ENOTFOUND _mongodb._tcp.h', 'ENOTFOUND'), /host is not known/],
    [new Error('Authentication failed.'), /the user or the password is wrong/],
    [selectionError(new Error('connection timed out')), /no MongoDB server answered in time/],
    [selectionError(new Error('Input must be at least 5 bytes')), /is it a MongoDB server\?/],
    [new Error('option foo is not supported'), /: option foo is not supported$/],
  ])('is one clear line: %s', (error, line) => {
    const { message, code } = cannotConnect(error, 'mongodb://shop:s3cret@db/shop');
    expect(message).toMatch(line);
    expect(message).not.toMatch(/s3cret|PostgreSQL|\n/);
    expect(code).toBe('ERR_CANNOT_CONNECT');
  });
});

describe('an operation that rejects', () => {
  test.each([
    [withCode('full', 'ERR_PARTITION_FULL'), 'refused'],
    [withCode('late', 'ERR_ACQUIRE_TIMEOUT'), 'timedOut'],
    [Object.assign(new Error('late'), { name: 'MongoWaitQueueTimeoutError' }), 'timedOut'],
    [Object.assign(new Error('gone'), { name: 'MongoNetworkError' }), 'failed'],
    ['not even an error', 'failed'],
  ])('with %s is %s', (error, loss) => {
    expect(mongooseRehearsal.classify(error)).toBe(loss);
  });
});

describe('a scenario', () => {
  test('has 50 reports side by side where sessions have 15, and else stays as it is', () => {
    const { workloads, ...rest } = adapt(monthEnd);
    const [order, search, batch] = workloads;
    expect(batch).toMatchObject({ workers: 50, holdMillis: 5_000 });
    expect({ ...rest, workloads: [order, search] }).toEqual({
      ...monthEnd,
      workloads: monthEnd.workloads.slice(0, 2),
    });
  });

  test('of sessions that leak is refused', () => {
    expect(() => adapt(leakyClient)).toThrow(/leaky-client: batch has leak, which mongoose cannot/);
  });
});

test('the room is what the server says is available, or without end when it says nothing', () => {
  expect(roomOf({ current: 7, available: 93 })).toEqual({
    free: 93,
    because: '100 at most - 6 in use',
  });
  expect(roomOf(undefined).free).toBe(Infinity);
});
