import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { Pool } from '../../drivers/pg/index.ts';
import { monthEnd, rehearse } from '../../rehearsal/library/index.ts';
import type { PoolRequest, RehearseOptions, Scenario } from '../../rehearsal/library/index.ts';
import { openStockPool, rejection, until, url } from '../support/pg.ts';

const partitions = { order: 8, search: 8, batch: 4 };
const createPool = ({ url: connectionString, max }: PoolRequest): Pool =>
  new Pool({ connectionString, max, partitions });

/** A third of a second for each run: what comes out is not judged here. */
const short: Scenario = {
  ...monthEnd,
  phases: [{ name: 'month end', durationMillis: 5_000, partitions: ['order', 'search', 'batch'] }],
};
const play = (options: Partial<RehearseOptions>) =>
  rehearse(short, { url: url(), timeScale: 0.05, ...options });

/** No connection of a rehearsal; a server needs a moment to take leave of one that is closed. */
async function nothingIsLeft(): Promise<void> {
  const server = openStockPool({ max: 1 });
  const sql = `select from pg_stat_activity where application_name like 'watertight %'`;
  await until(async () => (await server.query(sql)).rowCount === 0);
}

const listeners = (): string[] =>
  process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);

describe('a rehearsal of one’s own pool', () => {
  test('plays it with and without reports, ends each pool, and leaves nothing behind', async () => {
    const before = listeners();
    const pools: Pool[] = [];
    const labels: (string | null)[] = [];
    const shared: pg.Pool[] = [];
    const result = await play({
      createPool(request) {
        labels.push(new URL(request.url).searchParams.get('application_name'));
        const pool = createPool(request);
        pools.push(pool);
        return pool;
      },
      async createSharedPool({ url: connectionString, max, acquireTimeoutMillis }) {
        expect([max, acquireTimeoutMillis]).toEqual([20, 3_000]);
        const pool = new pg.Pool({ connectionString, max });
        shared.push(pool);
        return pool;
      },
    });
    expect(new Set(labels.map((label) => label?.split(' ')[1]))).toEqual(
      new Set(['check', 'baseline', 'partitioned']),
    );
    expect(shared.length).toBeGreaterThan(0);
    expect([...pools, ...shared].filter(({ ended }) => !ended)).toEqual([]);
    expect(result).toMatchObject({ max: 20, timeScale: 0.05, driver: 'pg' });
    expect(result.partition('order').offered).toBe(200);
    expect(result.partition('batch').served).toBeGreaterThan(0);
    expect(listeners()).toEqual(before);
    await nothingIsLeft();
  });

  test('counts the connections of a pool that has a size and more partitions of its own', async () => {
    const { max, partitions: rehearsed } = await play({
      createPool: ({ url: connectionString }) =>
        new Pool({ connectionString, partitions: { ...partitions, admin: { size: 1, max: 2 } } }),
    });
    expect([max, Object.keys(rehearsed ?? {})]).toEqual([21, ['order', 'search', 'batch']]);
  });

  test('needs no more than the partitions', async () => {
    const result = await play({ partitions });
    expect(result).toMatchObject({ max: 20, partitions: { order: { size: 8 } } });
  });

  test('without a URL is held on an embedded server', async () => {
    const { server } = await play({ url: undefined, createPool });
    expect(server).toMatch(/^PostgreSQL \d/);
  });
});

describe('a rehearsal that ends early', () => {
  test('by its signal rejects with the reason and leaves nothing behind', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const played = play({
      createPool,
      signal: abort.signal,
      onProgress: ({ kind }) => void (kind === 'tick' && abort.abort(reason)),
    });
    await expect(played).rejects.toBe(reason);
    await nothingIsLeft();
    await expect(play({ createPool, signal: abort.signal })).rejects.toBe(reason);
  });

  test('by a fault of its listener rejects with that', async () => {
    const fault = new Error('no such widget');
    const onProgress = ({ kind }: { kind: string }): void => {
      if (kind === 'tick') throw fault;
    };
    await expect(play({ createPool, onProgress })).rejects.toBe(fault);
    await nothingIsLeft();
  });
});

describe('what cannot be rehearsed is told before any load', () => {
  const refusal = async (options: unknown): Promise<string> => {
    const error = await rejection(play(options as RehearseOptions));
    expect(error.code).toBe('ERR_REHEARSAL_OPTION');
    return error.message;
  };

  test('every fault of the options at once, and no password', async () => {
    const faulty = {
      url: 'mysql://u:s3cret@h/d',
      createPol: createPool,
      max: 0,
      timeScale: '0.1',
      signal: null,
      onProgress: 'tell',
      createSharedPool: {},
    };
    expect((await refusal(faulty)).split('\n')).toEqual([
      'timeScale: expected a number from 0.02 to 1, got string',
      'createPol: unknown option; did you mean createPool?',
      'max: expected a whole number from 1 up, got 0',
      'signal: expected an AbortSignal, got null',
      'onProgress: expected a function, got string',
      'createSharedPool: expected a function that makes a pool, got object',
      'createPool: expected a function that makes your pool (or give partitions)',
      expect.stringMatching(/^url: mysql:\/\/u:\*\*\*@h\/d is not the URL of a PostgreSQL server/),
    ]);
    expect(await refusal({ createPool, partitions })).toBe(
      'createPool and partitions exclude each other',
    );
    const { message } = await rejection(rehearse({} as Scenario, { createPool }));
    expect(message).toBe('scenario: expected a scenario, such as monthEnd');
  });

  test('every partition of the scenario that the pool does not have', async () => {
    const pool = ({ url: connectionString }: PoolRequest): Pool =>
      new Pool({ connectionString, partitions: { web: 8, batch: 4 } });
    expect((await refusal({ createPool: pool, max: 20 })).split('\n')).toEqual([
      "createPool: the pool has no partition 'order', which month-end plays; it has: web, batch",
      "createPool: the pool has no partition 'search', which month-end plays; it has: web, batch",
      'max: createPool makes a pool of 12 connections, got 20',
    ]);
  });

  test('every fault of the partitions', async () => {
    const faults = await refusal({ max: 0, partitions: { order: -1, search: { sise: 8 } } });
    expect(faults.split('\n')).toEqual([
      'max: expected a whole number from 1 up, got 0',
      "partitions: expected 'batch' among them, which month-end plays",
      'partitions.order: expected an integer from 0 up, got -1',
      "partitions.search.sise: unknown option; did you mean 'size'?",
      'partitions.search.size: expected an integer from 0 up, got undefined',
    ]);
  });

  test('a server that does not listen, by its reason, in a test runner too', async () => {
    const error = await rejection(play({ url: 'postgres://u:s3cret@localhost:1/d', createPool }));
    expect(error.message).toMatch(/localhost:1\/d: nothing listens there \(connect ECONNREFUSED/);
    expect(error.message).not.toContain('s3cret');
  });
});
