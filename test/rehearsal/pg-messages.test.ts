import { describe, expect, test } from '@jest/globals';
import { describeError } from '../../rehearsal/errors.ts';
import { cannotConnect } from '../../rehearsal/pg/failures.ts';
import { pgRehearsal } from '../../rehearsal/pg/index.ts';
import { labelUrl, parsePostgresUrl } from '../../rehearsal/pg/url.ts';
import { redactUrl } from '../../rehearsal/redact.ts';

const withCode = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code });

describe('a password', () => {
  test.each([
    ['postgres://shop:s3cret@db/shop', 'postgres://shop:***@db/shop'],
    ['postgres://db/shop?user=shop&password=s3cret', 'postgres://db/shop?user=shop&password=***'],
    ['postgres://shop@db/shop', 'postgres://shop@db/shop'],
    ['rehearse', 'rehearse'],
  ])('is not shown in %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });

  test('in a URL that cannot be parsed hides with all of it', () => {
    expect(redactUrl('postgres://shop:s3cret@:bad:/x')).not.toContain('s3cret');
  });
});

describe('a URL', () => {
  test('must be one of PostgreSQL', () => {
    expect(() => parsePostgresUrl('mysql://a:s3cret@h/d')).toThrow(/not the URL of a PostgreSQL/);
    expect(() => parsePostgresUrl('mysql://a:s3cret@h/d')).not.toThrow(/s3cret/);
    expect(() => parsePostgresUrl('localhost')).toThrow(/cannot be read/);
  });

  test('gets the label, whatever application_name it had', () => {
    const url = labelUrl('postgresql://u@h/d?application_name=shop&sslmode=disable', 'run 1');
    expect(new URL(url).searchParams.getAll('application_name')).toEqual(['run 1']);
    expect(new URL(url).searchParams.get('sslmode')).toBe('disable');
  });
});

describe('a refused connection', () => {
  const url = 'postgres://shop:s3cret@db:5432/shop';
  test.each([
    [withCode('password authentication failed for user "shop"', '28P01'), /password is wrong/],
    [withCode('the database system is starting up', '57P03'), /starting up/],
    [withCode('sorry, too many clients already', '53300'), /no connection left/],
    [withCode('database "shop" does not exist', '3D000'), /no such database/],
    [withCode('getaddrinfo ENOTFOUND db', 'ENOTFOUND'), /host is not known/],
    [new Error('timeout expired'), /no PostgreSQL server answered in time/],
    [new Error('Connection terminated unexpectedly'), /is it a PostgreSQL server/],
    [new Error('something new'), /something new/],
  ])('is one clear line: %s', (error, line) => {
    const { message, code } = cannotConnect(error, url);
    expect(message).toMatch(line);
    expect(message).not.toMatch(/s3cret|\n/);
    expect(code).toBe('ERR_CANNOT_CONNECT');
  });

  test('by both addresses of localhost names both, although the error has no message', () => {
    const parts = [
      withCode('connect ECONNREFUSED ::1:1', 'ECONNREFUSED'),
      withCode('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
    ];
    const error = new AggregateError(parts);
    expect(describeError(error)).toBe(
      'connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(cannotConnect(error, 'postgres://localhost:1/d').message).toMatch(/nothing listens/);
  });
});

describe('a checkout that rejects', () => {
  test.each([
    [withCode('full', 'ERR_PARTITION_FULL'), 'refused'],
    [withCode('late', 'ERR_ACQUIRE_TIMEOUT'), 'timedOut'],
    [new Error('timeout exceeded when trying to connect'), 'timedOut'],
    [withCode('closed', 'ERR_PARTITION_CLOSED'), 'failed'],
    [withCode('too many clients', '53300'), 'failed'],
    ['not even an error', 'failed'],
  ])('with %s is %s', (error, loss) => {
    expect(pgRehearsal.classify(error)).toBe(loss);
  });
});
