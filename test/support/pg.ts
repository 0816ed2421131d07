import pg from 'pg';
import { afterEach } from '@jest/globals';
import { Pool } from '../../drivers/pg/index.ts';
import type { PoolConfig } from '../../drivers/pg/config.ts';
import { urlOf } from '../servers/urls.ts';

export const url = (): string => urlOf('postgres');

const opened = new Map<{ readonly ending: boolean }, () => Promise<void>>();

/** A pool on the test server, ended after the test. */
export function openPool<Name extends string = 'default'>(config?: PoolConfig<Name>): Pool<Name> {
  const pool = new Pool<Name>({ connectionString: url(), ...config });
  // A test that failed may have left leases behind.
  opened.set(pool, () => pool.end({ timeoutMillis: 1000 }));
  return pool;
}

/** A stock pool as the control of an experiment, or to look at the server from outside. */
export function openStockPool(config?: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString: url(), ...config });
  opened.set(pool, () => pool.end());
  return pool;
}

afterEach(async () => {
  const pools = [...opened].filter(([{ ending }]) => !ending);
  opened.clear();
  await Promise.all(pools.map(([, end]) => end()));
});

/** Resolves when the condition holds; polls, since a server's state has no event. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The error that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a rejection');
}
