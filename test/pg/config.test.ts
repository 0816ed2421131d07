import { describe, expect, test } from '@jest/globals';
import watertightPg, { Pool } from '../../drivers/pg/index.ts';

const messageOf = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('expected a throw');
};

const poolWith = (config: unknown) => () => new Pool(config as object);

describe('a configuration with faults is refused', () => {
  test('with all of them at once, each with its rule and the value', () => {
    const message = messageOf(
      poolWith({
        max: 20,
        partitions: { order: { size: 8, max: 6 }, search: -1, batch: { sise: 4 } },
        defaultPartition: 'orders',
        acquireTimeoutMillis: 60_000,
      }),
    );
    expect(message).toBe(`watertight: 6 faults in the configuration
  - acquireTimeoutMillis: expected milliseconds from 0 to 30000 (waiting longer, or for ever, hides an outage), got 60000
  - partitions.order.max: expected at least its size, 8, got 6
  - partitions.search: expected an integer from 0 up, got -1
  - partitions.batch.sise: unknown option; did you mean 'size'?
  - partitions.batch.size: expected an integer from 0 up, got undefined
  - defaultPartition: expected one of order, search, batch, got 'orders'`);
  });

  test('when the sizes do not fit, with the sum written out', () => {
    expect(messageOf(poolWith({ max: 20, partitions: { order: 8, search: 8, batch: 6 } }))).toBe(
      'watertight: partitions: the sizes add up to 8 + 8 + 6 = 22, more than max = 20',
    );
  });

  test.each([0, -1, 60_000, '100', NaN])('when connectionTimeoutMillis is %p', (value) => {
    const message = messageOf(poolWith({ connectionTimeoutMillis: value }));
    expect(message).toMatch(/^watertight: connectionTimeoutMillis: expected milliseconds from 1/);
    expect(message).toContain('acquireTimeoutMillis: 0');
  });

  test('under the name that was used', () => {
    expect(messageOf(poolWith({ poolSize: '8' }))).toContain('poolSize: expected an integer');
    expect(messageOf(poolWith({ max: '8' }))).toContain(
      "max: expected an integer from 1 up, got '8'",
    );
  });

  test('when one of ours is misspelt, but not for what pg may know', () => {
    expect(messageOf(poolWith({ partition: { order: 8 } }))).toContain(
      "did you mean 'partitions'?",
    );
    expect(messageOf(poolWith({ acquireTimeout: 8 }))).toContain("'acquireTimeoutMillis'");
    expect(poolWith({ max: 1, min: 0, ssl: false, keepAlive: true, future: 1 })).not.toThrow();
  });

  test('when it is no object, without repeating a URL that may have a password', () => {
    const message = messageOf(poolWith('postgres://user:secret@host/db'));
    expect(message).toContain('{ connectionString }');
    expect(message).not.toContain('secret');
    expect(messageOf(poolWith(null))).toContain('expected an object');
  });

  test.each([undefined, {}, { max: 3 }, { poolSize: 3 }])('but %p is a plain pool', (config) => {
    const { options } = new Pool(config);
    expect(options.max).toBe(config && Object.keys(config).length > 0 ? 3 : 10);
  });

  test('and max defaults to the sum of the sizes', () => {
    expect(new Pool({ partitions: { order: 8, batch: 4 } }).options.max).toBe(12);
  });
});

describe('how long a dial may keep its permit', () => {
  const limitOf = (config: object): number => new Pool(config).physical.limitMillis;

  test('is twice the longest patience, and at least four seconds', () => {
    expect(limitOf({ partitions: { order: { size: 1, acquireTimeoutMillis: 5000 } } })).toBe(
      10_000,
    );
    expect(limitOf({ acquireTimeoutMillis: 250 })).toBe(4000);
  });

  test("is twice pg's own limit where that is used, which it is not beside ours", () => {
    expect(limitOf({ connectionTimeoutMillis: 100 })).toBe(200);
    expect(limitOf({ connectionTimeoutMillis: 60_000, acquireTimeoutMillis: 250 })).toBe(4000);
    expect(limitOf({ connectionTimeoutMillis: Number.NaN, acquireTimeoutMillis: 250 })).toBe(4000);
  });
});

describe('the default export', () => {
  test('shows the native bindings of pg itself, or that there are none', async () => {
    const pg = (await import('pg')).default;
    expect(watertightPg.native).toBe(pg.native);
  });
});
