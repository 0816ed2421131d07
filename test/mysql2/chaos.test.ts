import { expect, test } from '@jest/globals';
import type { PoolConnection } from 'mysql2';
import type { PartitionPool } from '../../drivers/mysql2/index.ts';
import {
  connect,
  killOnServer,
  makeUser,
  openPool,
  rejection,
  rows,
  sleep,
  until,
} from '../support/mysql.ts';

/** Repeatable: the same seed makes the same choices. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const quietly = (promise: Promise<unknown>): Promise<unknown> => promise.catch(() => undefined);

type Mischief = (pool: PartitionPool) => Promise<unknown>;

const withHeld =
  (fn: (connection: PoolConnection, pool: PartitionPool) => unknown): Mischief =>
  async (pool) => {
    const connection = await connect(pool);
    await fn(connection, pool);
  };

const MANY = 'select a.* from information_schema.columns a, information_schema.collations b';

const mischiefs: Record<string, Mischief> = {
  'a query': (pool) => rows(pool, 'select 1'),
  'a query that fails': (pool) => rows(pool, 'select nonsense'),
  'release twice': withHeld((c, pool) => {
    c.release();
    c.release();
    pool.releaseConnection(c);
  }),
  'destroy twice': withHeld((c) => {
    c.destroy();
    c.destroy();
    c.release();
  }),
  'destroy with a query on it': withHeld((c) => {
    void quietly(rows(c, 'select sleep(0.05)'));
    setTimeout(() => c.destroy(), 10);
  }),
  'kill on the server': withHeld(async (c) => {
    const running = quietly(rows(c, 'select sleep(1)'));
    await killOnServer(c.threadId);
    await running;
    c.release();
  }),
  'a query that times out': withHeld(async (c) => {
    await quietly(
      new Promise((resolve) => c.query({ sql: 'select sleep(0.08)', timeout: 20 }, resolve)),
    );
    c.release();
  }),
  'a wait that times out': (pool) =>
    pool.withConnection(() => sleep(30), { acquireTimeoutMillis: 5 }),
  'a function that throws': (pool) =>
    pool.withConnection(() => {
      throw new Error('mistake');
    }),
  'a stream that is left': withHeld(async (c) => {
    for await (const row of c.query('select * from information_schema.collations').stream()) {
      void row;
      break;
    }
    c.release();
  }),
  'a stream that is not read': withHeld((c) => {
    c.query(MANY)
      .stream({ highWaterMark: 1 })
      .on('error', () => {});
    setTimeout(() => c.release(), 20);
  }),
  'a release before the answer': withHeld((c) => {
    void quietly(rows(c, 'select sleep(0.02)'));
    c.release();
  }),
  'a statement that is prepared': (pool) =>
    new Promise((resolve, reject) => {
      pool.execute('select ?', [1], (error, found) => (error ? reject(error) : resolve(found)));
    }),
};

/** What a server only needs a moment to notice is not counted: that connections are gone. */
async function lasting(count: () => Promise<number>, limit: number): Promise<number> {
  let found = await count();
  for (let tries = 0; found > limit && tries < 1_000; tries++) {
    await sleep(20);
    found = await count();
  }
  return found;
}

test.each([1, 2, 3])('whatever is done to it, nothing is lost (seed %p)', async (seed) => {
  const { login, count } = await makeUser('chaos');
  const pool = openPool({
    ...login,
    connectionLimit: 6,
    acquireTimeoutMillis: 1000,
    connectTimeout: 1000,
    partitions: { order: 2, search: { size: 1, max: 3 }, batch: { size: 1, max: 2 } },
  });
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const partitions = (['order', 'search', 'batch'] as const).map((name) => pool.partition(name));
  let peak = 0;
  for (let round = 0; round < 12; round++) {
    const calls = Array.from({ length: 8 }, () =>
      quietly(pick(Object.values(mischiefs))(pick(partitions))),
    );
    peak = Math.max(peak, await lasting(count, 6));
    await Promise.all(calls);
  }
  await until(() => pool.stats().inUse === 0);
  expect(pool.stats()).toMatchObject({ inUse: 0, waiting: 0 });
  expect(partitions.map(({ available }) => available)).toEqual([2, 3, 2]);
  expect(Reflect.get(pool.physical.pool, '_connectionQueue')).toHaveLength(0);
  expect(peak).toBeLessThanOrEqual(6);
  for (const partition of partitions) {
    expect(await rows(partition, 'select 1 as one')).toEqual([{ one: 1 }]);
  }
  expect(await lasting(count, 6)).toBeLessThanOrEqual(6);

  // And once more, with the end in the middle of it.
  const last = Array.from({ length: 20 }, () =>
    quietly(pick(Object.values(mischiefs))(pick(partitions))),
  );
  const ended = new Promise<void>((resolve) => pool.end({ timeoutMillis: 200 }, () => resolve()));
  await Promise.all([ended, ...last]);
  expect(await rejection(rows(pool.partition('order'), 'select 1'))).toMatchObject({
    message: 'Pool is closed.',
  });
  await until(async () => (await count()) === 0);
  expect(pool.stats()).toMatchObject({ inUse: 0, waiting: 0 });
});
