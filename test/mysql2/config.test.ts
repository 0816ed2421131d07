import { describe, expect, jest, test } from '@jest/globals';
import { createPool } from '../../drivers/mysql2/index.ts';
import { openPool, rows, url } from '../support/mysql.ts';

const messageOf = (options: unknown): string => {
  try {
    createPool(options as string);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('expected a throw');
};

describe('options with faults are refused', () => {
  test('with all of them at once, each with its rule and the value', () => {
    const message = messageOf({
      connectionLimit: 20,
      partitions: { order: { size: 8, max: 6 }, batch: { sise: 4 } },
      defaultPartition: 'orders',
      acquireTimeoutMillis: 60_000,
      connectTimeout: 60_000,
      resetOnHop: 'no',
    });
    expect(message).toBe(`watertight: 7 faults in the configuration
  - resetOnHop: expected true or false, got 'no'
  - acquireTimeoutMillis: expected milliseconds from 0 to 30000 (waiting longer, or for ever, hides an outage), got 60000
  - partitions.order.max: expected at least its size, 8, got 6
  - partitions.batch.sise: unknown option; did you mean 'size'?
  - partitions.batch.size: expected an integer from 0 up, got undefined
  - defaultPartition: expected one of order, batch, got 'orders'
  - connectTimeout: expected milliseconds from 1 to 30000: a silent server would keep a permit, got 60000`);
  });

  test("under mysql2's own name of the capacity", () => {
    expect(messageOf({ connectionLimit: 8, partitions: { order: 8, batch: 4 } })).toBe(
      'watertight: partitions: the sizes add up to 8 + 4 = 12, more than connectionLimit = 8',
    );
    expect(messageOf({ connectionLimit: -1 })).toContain('connectionLimit: expected an integer');
    expect(messageOf({ max: 1.5 })).toContain('max: expected an integer from 1 up');
    expect(messageOf({ max: 8, connectionLimit: 9 })).toContain('max: expected the same as');
  });

  test('when there is no limit to divide', () => {
    expect(messageOf({ connectionLimit: 0 })).toBe(
      'watertight: connectionLimit: expected an integer from 1 up: 0 is no limit in mysql2, and what has no limit cannot be divided, got 0',
    );
    expect(messageOf('mysql://u@h/d?connectionLimit=0')).toContain('0 is no limit');
  });

  test('when one of ours is misspelt', () => {
    expect(messageOf({ partition: { order: 8 } })).toContain("did you mean 'partitions'?");
  });

  test('without repeating a URL that may have a password', () => {
    const uri = 'mysql://user:secret@host:port/db';
    for (const message of [messageOf(uri), messageOf({ uri })]) {
      expect(message).toContain('mysql://user@host:3306/database');
      expect(message).not.toContain('secret');
    }
    expect(messageOf(undefined)).toContain('expected an object or a connection URL');
  });
});

describe('a pool', () => {
  const limitOf = (options: Parameters<typeof openPool>[0]): number =>
    openPool(options).partition('default').partition.max;

  test('without partitions is one partition of all connections', async () => {
    const pool = createPool(`${url()}?connectionLimit=3`);
    expect(pool.partition('default').stats().gauges).toMatchObject({ size: 3, max: 3 });
    expect(await rows(pool, 'select 1 as one')).toEqual([{ one: 1 }]);
    await pool.promise().end();
    expect(limitOf({})).toBe(10);
    expect(limitOf({ max: 4 })).toBe(4);
    expect(limitOf({ connectionLimit: '5' as unknown as number })).toBe(5);
  });

  test('takes the URL together with partitions, and what the options say before the URL', () => {
    const pool = openPool({
      uri: `${url()}?connectionLimit=6&queueLimit=3`,
      partitions: { order: 4 },
    });
    const { partition } = pool.partition('order');
    expect(pool.config.connectionLimit).toBe(6);
    expect(partition.options.maxWaiting).toBe(3);
    expect(limitOf({ uri: `${url()}?connectionLimit=6`, connectionLimit: 7 })).toBe(7);
  });

  test.each([
    [{}, 100],
    [{ queueLimit: 0 }, Infinity],
    [{ queueLimit: 7 }, 7],
    [{ queueLimit: 7, maxWaiting: 5 }, 5],
    [{ waitForConnections: false }, 0],
  ])('with %p has a line of %p', (options, expected) => {
    const { partition } = openPool({ ...options, partitions: { order: 1 } }).partition('order');
    expect(partition.options.maxWaiting).toBe(expected);
  });

  test('keeps its options from mysql2, which would print them', () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
    openPool({
      ...{ partitions: { order: 1 }, defaultPartition: 'order', max: 1, resetOnHop: false },
      ...{ acquireTimeoutMillis: 10, maxWaiting: 5 },
    });
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  test('leaves the options given to it as they were', () => {
    const options = Object.freeze({ uri: url(), partitions: { order: 1 }, connectionLimit: 1 });
    expect(openPool(options).partition('order').available).toBe(1);
  });

  test("keeps mysql2's configuration, in which programs change a password later", () => {
    const pool = openPool({ connectionLimit: 3, maxIdle: 2, partitions: { order: 1 } });
    const order = pool.partition('order');
    const config = (of: object) => (of as { config: { connectionConfig: object } }).config;
    expect(config(order).connectionConfig).toBe(config(pool).connectionConfig);
    expect(config(pool)).toMatchObject({ connectionLimit: 3, maxIdle: 2, idleTimeout: 60_000 });
    expect(order.config.connectionLimit).toBe(1);
  });
});
