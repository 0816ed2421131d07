/** What happens to a server in a night: it stands still, dies and comes back, while everybody asks. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { partitionConnection } from '../../drivers/mongoose/index.ts';
import { createPool } from '../../drivers/mysql2/promise.ts';
import { Pool } from '../../drivers/pg/index.ts';
import { startInContainer, type ContainedServer } from '../servers/container.ts';
import { databases, type DatabaseName } from '../servers/databases.ts';
import { isContained } from '../servers/urls.ts';
import { freePort } from '../servers/free-port.ts';

const max = 6;
const partitions = { order: 4, batch: 2 };
const names = ['order', 'batch'] as const;
type Name = (typeof names)[number];

interface Asked {
  query(name: Name): Promise<unknown>;
  gauges(name: Name): { readonly inUse: number; readonly waiting: number };
  end(): Promise<unknown>;
}

interface Case {
  readonly database: DatabaseName;
  readonly open: (url: string) => Asked;
  /** Connections that the server counts besides the one that asks; undefined where it does not say. */
  readonly count?: (url: string) => Promise<number>;
}

const openMysql = (url: string): Asked => {
  const pool = createPool({ uri: url, connectionLimit: max, partitions });
  return {
    query: (name) => pool.partition(name).query('select 1'),
    gauges: (name) => pool.partition(name).stats().gauges,
    end: () => pool.end(),
  };
};

const countMysql = async (url: string): Promise<number> => {
  const admin = await mysql2.createConnection(url);
  const [found] = await admin
    .query<mysql2.RowDataPacket[]>(
      "select count(*) as n from information_schema.processlist where user = 'root' and id <> connection_id()",
    )
    .finally(() => admin.destroy());
  return Number(found[0]?.['n']);
};

const cases: readonly Case[] = [
  {
    database: 'postgres',
    open(url) {
      const pool = new Pool({ connectionString: url, max, partitions });
      pool.on('error', () => {});
      return {
        query: (name) => pool.partition(name).query('select 1'),
        gauges: (name) => pool.partition(name).stats().gauges,
        end: () => pool.end(),
      };
    },
    async count(url) {
      const admin = new pg.Client({ connectionString: url });
      await admin.connect();
      const { rows } = await admin
        .query<{ n: number }>(
          "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
        )
        .finally(() => admin.end());
      return rows[0]?.n ?? NaN;
    },
  },
  { database: 'mysql', open: openMysql, count: countMysql },
  { database: 'mariadb', open: openMysql, count: countMysql },
  {
    database: 'mongo',
    open(url) {
      const connection = mongoose.createConnection(url, {
        maxPoolSize: max + 1,
        maxConnecting: max + 1,
        serverSelectionTimeoutMS: 1_000,
        socketTimeoutMS: 5_000,
        bufferCommands: false,
      });
      connection.on('error', () => {});
      connection.asPromise().catch(() => {});
      const partitioned = partitionConnection(connection, { partitions });
      return {
        async query(name) {
          const { db } = partitioned.partition(name);
          if (!db) throw new Error('not connected');
          await db.command({ ping: 1 });
        },
        gauges: (name) => partitioned.stats().totals[name]?.gauges ?? { inUse: 0, waiting: 0 },
        end: () => partitioned.end(),
      };
    },
  },
];

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`this never comes true: ${String(condition)}`);
    await delay(20);
  }
}

describe.each(cases)('a server of $database', ({ database, open, count }) => {
  // Only one in a container can be done these things to.
  const skipped = !isContained(database);
  const testIt = skipped ? test.skip : test;
  let server: ContainedServer;
  let asked: Asked;
  let asking: Promise<unknown>[] = [];
  let asks = true;
  let answered = 0;

  const ask = async (name: Name): Promise<void> => {
    while (asks) {
      await asked.query(name).then(
        () => answered++,
        () => {},
      );
      // So that no failure that comes at once keeps everything else from happening.
      await delay(1);
    }
  };

  /** Everybody has asked in vain or with success, and somebody with success after this. */
  const isAnswered = async (): Promise<void> => {
    const before = answered;
    await until(() => answered > before + 20);
  };

  beforeAll(async () => {
    if (skipped) return;
    server = await startInContainer(databases[database], await freePort());
    asked = open(server.url);
    asking = names.flatMap((name) => Array.from({ length: 10 }, () => ask(name)));
  });
  afterAll(async () => {
    if (skipped) return;
    await asked.end();
    await server.stop();
  });

  testIt('that stands still for a while goes on where it was', async () => {
    await isAnswered();
    await server.pause();
    await delay(500);
    await server.resume();
    await isAnswered();
  });

  testIt('that is killed and comes back is used again, by every partition', async () => {
    await server.killAndStart();
    await isAnswered();
    for (const name of names)
      await until(() =>
        asked.query(name).then(
          () => true,
          () => false,
        ),
      );
  });

  testIt('has in the end no more connections than max, and nothing is lost', async () => {
    asks = false;
    await Promise.all(asking);
    for (const name of names) {
      await until(() => asked.gauges(name).inUse === 0);
      expect(asked.gauges(name)).toMatchObject({ inUse: 0, waiting: 0 });
      await asked.query(name);
    }
    if (count) expect(await count(server.url)).toBeLessThanOrEqual(max);
  });
});
