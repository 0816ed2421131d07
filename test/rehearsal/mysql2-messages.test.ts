import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Pool, PoolConnection } from 'mysql2/promise';
import { cannotConnect } from '../../rehearsal/mysql2/failures.ts';
import { mysql2Rehearsal } from '../../rehearsal/mysql2/index.ts';
import { OutOfPatience, withPatience } from '../../rehearsal/mysql2/patience.ts';
import { sharedSubject } from '../../rehearsal/mysql2/subjects.ts';
import { labelUrl, parseMysqlUrl } from '../../rehearsal/mysql2/url.ts';
import { roomOf } from '../../rehearsal/mysql2/witness.ts';

const withCode = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code });

describe('a URL', () => {
  test('must be one of MySQL', () => {
    expect(() => parseMysqlUrl('postgres://a:s3cret@h/d')).toThrow(
      /not the URL of a MySQL server; expected mysql:/,
    );
    expect(() => parseMysqlUrl('postgres://a:s3cret@h/d')).not.toThrow(/s3cret/);
    expect(() => parseMysqlUrl('localhost')).toThrow(/cannot be read/);
  });

  test('gets the label among its attributes, whatever it had there', () => {
    const given = 'mysql://u@h/d?connectAttributes={"program_name":"shop"}&timezone=Z';
    const { searchParams } = new URL(labelUrl(given, 'run 1'));
    expect(searchParams.getAll('connectAttributes')).toEqual(['{"program_name":"run 1"}']);
    expect(searchParams.get('timezone')).toBe('Z');
  });
});

describe('a refused connection', () => {
  test.each([
    [
      withCode("Access denied for user 'shop'", 'ER_ACCESS_DENIED_ERROR'),
      /password or the user is/,
    ],
    [withCode("Unknown database 'shop'", 'ER_BAD_DB_ERROR'), /no such database/],
    [withCode('Too many connections', 'ER_CON_COUNT_ERROR'), /no connection left/],
    [withCode('max_user_connections', 'ER_TOO_MANY_USER_CONNECTIONS'), /left for this user/],
    [withCode('Server shutdown in progress', 'ER_SERVER_SHUTDOWN'), /starting up or shutting down/],
    [withCode('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'), /nothing listens there/],
    [withCode('connect ENOENT /x', 'ENOENT'), /no such socket/],
    [withCode('connect ETIMEDOUT', 'ETIMEDOUT'), /no MySQL server answered in time/],
    [withCode('Connection lost', 'PROTOCOL_CONNECTION_LOST'), /hung up; is it a MySQL server/],
    [new Error('Unexpected packet while no commands in the queue'), /is it a MySQL server/],
    [new Error('something new'), /: something new$/],
  ])('is one clear line: %s', (error, line) => {
    const { message, code } = cannotConnect(error, 'mysql://shop:s3cret@db/shop');
    expect(message).toMatch(line);
    expect(message).not.toMatch(/s3cret|PostgreSQL|\n/);
    expect(code).toBe('ERR_CANNOT_CONNECT');
  });
});

describe('a checkout that rejects', () => {
  test.each([
    [withCode('full', 'ERR_PARTITION_FULL'), 'refused'],
    [withCode('late', 'ERR_ACQUIRE_TIMEOUT'), 'timedOut'],
    [new OutOfPatience('late'), 'timedOut'],
    [withCode('connect ETIMEDOUT', 'ETIMEDOUT'), 'failed'],
    [withCode('Too many connections', 'ER_CON_COUNT_ERROR'), 'failed'],
    ['not even an error', 'failed'],
  ])('with %s is %s', (error, loss) => {
    expect(mysql2Rehearsal.classify(error)).toBe(loss);
  });
});

describe('a caller of the stock pool', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const connection = (log: string[]): PoolConnection =>
    ({ release: () => log.push('released') }) as unknown as PoolConnection;

  test('that had enough gives its connection back when it comes in the end', async () => {
    const log: string[] = [];
    let connected: (connection: PoolConnection) => void = () => undefined;
    const connecting = new Promise<PoolConnection>((resolve) => {
      connected = resolve;
    });
    const waiting = withPatience(connecting, 6_000).catch((error: Error) => {
      log.push(error.message);
    });
    await jest.advanceTimersByTimeAsync(5_999);
    expect(log).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    connected(connection(log));
    await jest.advanceTimersByTimeAsync(0);
    expect(log).toEqual(['no connection within 6000 ms', 'released']);
  });

  test('that is served in time keeps it, and no timer stays', async () => {
    const log: string[] = [];
    const mine = connection(log);
    await expect(withPatience(Promise.resolve(mine), 6_000)).resolves.toBe(mine);
    expect([log, jest.getTimerCount()]).toEqual([[], 0]);
  });

  test('is told why the server refused, and no timer stays', async () => {
    const refused = withCode('Too many connections', 'ER_CON_COUNT_ERROR');
    await expect(withPatience(Promise.reject(refused), 6_000)).rejects.toBe(refused);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a stock pool whose server is gone', () => {
  const closed = async (end: () => Promise<void>): Promise<string> => {
    const pool = { on: () => undefined, end } as unknown as Pool;
    let state = 'closing';
    void sharedSubject(pool, { max: 1, acquireTimeoutMillis: 1 })
      .close()
      .then(() => (state = 'closed'));
    await jest.advanceTimersByTimeAsync(5_000);
    return state;
  };

  test('is closed although its end fails, or never comes', async () => {
    jest.useFakeTimers();
    expect(await closed(() => Promise.reject(new Error('connect ECONNREFUSED')))).toBe('closed');
    expect(await closed(() => new Promise(() => undefined))).toBe('closed');
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

describe('the room on a server', () => {
  const row = { max_connections: 151, in_use: 5, user_limit: 0, user_in_use: 3 };

  test('is what its limit leaves, without the witness', () => {
    expect(roomOf(row)).toEqual({ free: 146, because: 'max_connections = 151 - 4 in use' });
  });

  test('is what the limit of the user leaves, where that is narrower', () => {
    expect(roomOf({ ...row, user_limit: 30 })).toEqual({
      free: 27,
      because: 'max_user_connections = 30 - 2 in use',
    });
  });
});
