import pg from 'pg';
import { Pool } from '../../drivers/pg/index.ts';

/** Ten times as fast as the story. */
export const timeScale = 0.1;
const scaled = (millis: number): number => millis * timeScale;

/** Whom the requests and the reports ask; all of it on at most 20 connections. */
export interface Contender {
  request(index: number): Promise<unknown>;
  report(): Promise<unknown>;
  end(): Promise<void>;
}

const requestText = 'select pg_sleep(0.006)';
/** Five seconds of the story. */
const reportText = 'select pg_sleep(0.5)';
const shortMillis = scaled(2_000);

export const contenders: Readonly<Record<string, (url: string) => Contender>> = {
  'one pool, timeout 60 s': (url) => onePool(url, scaled(60_000)),
  'one pool, timeout 2 s': (url) => onePool(url, shortMillis),

  'three pools'(url) {
    const pool = (max: number, connectionTimeoutMillis: number): pg.Pool =>
      new pg.Pool({ connectionString: url, max, connectionTimeoutMillis });
    // Its batch waits for ever: nobody told it otherwise.
    const [order, search, batch] = [pool(8, shortMillis), pool(8, shortMillis), pool(4, 0)];
    return {
      request: (index) => (index % 2 === 0 ? order : search).query(requestText),
      report: () => batch.query(reportText),
      end: async () => void (await Promise.all([order.end(), search.end(), batch.end()])),
    };
  },

  watertight(url) {
    const pool = new Pool({
      connectionString: url,
      max: 20,
      partitions: { order: 8, search: 8, batch: { size: 4, acquireTimeoutMillis: scaled(30_000) } },
      acquireTimeoutMillis: shortMillis,
    });
    const [order, search] = [pool.partition('order'), pool.partition('search')];
    const batch = pool.partition('batch');
    return {
      request: (index) => (index % 2 === 0 ? order : search).query(requestText),
      report: () => untilServed(() => batch.query(reportText)),
      end: () => pool.end(),
    };
  },
};

function onePool(url: string, connectionTimeoutMillis: number): Contender {
  const pool = new pg.Pool({ connectionString: url, max: 20, connectionTimeoutMillis });
  return {
    request: () => pool.query(requestText),
    report: () => pool.query(reportText),
    end: () => pool.end(),
  };
}

/** A report that was refused after half a minute comes back: a batch has time. */
async function untilServed(report: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await report();
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_ACQUIRE_TIMEOUT') throw error;
    }
  }
}
