import pg from 'pg';
import { Pool, type PartitionPool } from 'watertight/pg';
import { databaseNameOf, urlFrom } from './urls.ts';
import type { Served } from './served.ts';

/** The table of the contract, and nothing else. */
const schema = 'create table items (id serial primary key, name text not null)';

export async function servePg(title: string): Promise<Served<PartitionPool>> {
  const admin = new pg.Client({ connectionString: urlFrom('COMPAT_PG_URL') });
  await admin.connect();
  const database = databaseNameOf(title);
  await admin.query(`drop database if exists ${database} with (force)`);
  await admin.query(`create database ${database}`);
  const url = Object.assign(new URL(urlFrom('COMPAT_PG_URL')), { pathname: database }).href;
  const pool = new Pool({
    connectionString: url,
    max: 4,
    partitions: { order: { size: 2, acquireTimeoutMillis: 1_000 }, batch: 2 },
  });
  const order = pool.partition('order');
  await pool.partition('batch').query(schema);
  return {
    order,
    url,
    async connections() {
      const { rows } = await admin.query(
        'select count(*)::int as count from pg_stat_activity where datname = $1',
        [database],
      );
      return rows[0].count;
    },
    async fill() {
      const held = await Promise.all([order.connect(), order.connect()]);
      return async () => held.forEach((client) => client.release());
    },
    granted: () => order.stats().counters.granted,
    inUse: () => order.stats().gauges.inUse,
    orderEnded: () => order.ended,
    async queryBatch() {
      await pool.partition('batch').query('select 1');
    },
    async stop() {
      await pool.end();
      await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
}
