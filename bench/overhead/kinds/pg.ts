import pg from 'pg';
import { Pool } from '../../../drivers/pg/index.ts';
import { runIn } from '../../../src/index.ts';
import { NO_SERVER } from '../../transport.ts';
import { MemoryStream } from '../memory-stream.ts';
import { pgAnswers } from '../pg-answers.ts';
import { acquireTimeoutMillis, shareOf, walls, type Kind, type Kinds } from './kind.ts';

const text = 'select 1';

export const pgKinds: Kinds = {
  'pg.Pool of 20': (url) => bare(url, 20),
  'pg.Pool of 8': (url) => bare(url, 8),

  /** All three partitions are busy. */
  'partitions of 8, 8 and 4'(url) {
    const pool = divided(url);
    return {
      askOf(caller) {
        const partition = pool.partition(shareOf(caller));
        return () => partition.query(text);
      },
      end: () => pool.end(),
    };
  },

  /** Only one of three is busy. */
  'partition of 8'(url) {
    const pool = divided(url);
    const partition = pool.partition('order');
    return { askOf: () => () => partition.query(text), end: () => pool.end() };
  },

  /** Through the pool itself, which has to find out where the call goes. */
  'default partition of 8'(url) {
    const pool = divided(url);
    return { askOf: () => () => pool.query(text), end: () => pool.end() };
  },

  'runIn a partition of 8'(url) {
    const pool = divided(url);
    const query = (): Promise<unknown> => pool.query(text);
    return { askOf: () => () => runIn('order', query), end: () => pool.end() };
  },

  'undivided pool of 20'(url) {
    const pool = new Pool({ ...server(url), max: 20, acquireTimeoutMillis });
    return { askOf: () => () => pool.query(text), end: () => pool.end() };
  },
};

function bare(url: string, max: number): Kind {
  const pool = new pg.Pool({
    ...server(url),
    max,
    connectionTimeoutMillis: acquireTimeoutMillis,
  });
  return { askOf: () => () => pool.query(text), end: () => pool.end() };
}

const divided = (url: string): Pool<'order' | 'search' | 'batch'> =>
  new Pool({
    ...server(url),
    max: 20,
    partitions: walls,
    defaultPartition: 'order',
    acquireTimeoutMillis,
    maxWaiting: Infinity,
  });

const server = (url: string): pg.PoolConfig =>
  url === NO_SERVER ? { stream: () => new MemoryStream(pgAnswers()) } : { connectionString: url };
