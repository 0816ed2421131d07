import mysql2 from 'mysql2';
import type { Pool, PoolOptions } from 'mysql2';
import { createPool } from '../../../drivers/mysql2/index.ts';
import { NO_SERVER } from '../../transport.ts';
import { MemoryStream } from '../memory-stream.ts';
import { mysqlAnswers } from '../mysql-answers.ts';
import { acquireTimeoutMillis, shareOf, walls, type Ask, type Kind, type Kinds } from './kind.ts';

type AskOf = (pool: Pool) => Ask;

const text = 'select 1';

const withCallback: AskOf = (pool) => () =>
  new Promise<void>((resolve, reject) => {
    pool.query(text, (error) => (error ? reject(error) : resolve()));
  });

const withPromise: AskOf = (pool) => {
  const face = pool.promise();
  return () => face.query(text);
};

export const mysql2Kinds: Kinds = {
  'mysql2.Pool of 20': (url) => bare(url, withCallback),
  'mysql2/promise pool of 20': (url) => bare(url, withPromise),
  'mysql2 partitions of 8, 8 and 4': (url) => divided(url, withCallback),
  'mysql2/promise partitions of 8, 8 and 4': (url) => divided(url, withPromise),
};

function bare(url: string, askOf: AskOf): Kind {
  const pool = mysql2.createPool({ ...server(url), connectionLimit: 20 });
  const ask = askOf(pool);
  return { askOf: () => ask, end: () => pool.promise().end() };
}

/** All three partitions are busy. */
function divided(url: string, askOf: AskOf): Kind {
  const pool = createPool({
    ...server(url),
    connectionLimit: 20,
    partitions: walls,
    acquireTimeoutMillis,
    maxWaiting: Infinity,
  });
  const asks = new Map(
    (['order', 'search', 'batch'] as const).map((name) => [name, askOf(pool.partition(name))]),
  );
  return {
    askOf: (caller) => asks.get(shareOf(caller)) as Ask,
    end: () => pool.promise().end(),
  };
}

const server = (url: string): PoolOptions =>
  url === NO_SERVER ? { stream: () => new MemoryStream(mysqlAnswers()) } : { uri: url };
