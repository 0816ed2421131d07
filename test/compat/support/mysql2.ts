import mysql from 'mysql2/promise';
import { createPool, type PartitionPool } from 'watertight/mysql2';
import type { PartitionPool as PromisePartitionPool } from 'watertight/mysql2/promise';
import { databaseNameOf, urlFrom } from './urls.ts';
import type { Served } from './served.ts';

/** The table of the contract, and nothing else. */
const schema = 'create table items (id int auto_increment primary key, name varchar(100) not null)';

export async function serveMysql2(title: string): Promise<Served<PartitionPool>> {
  const admin = await mysql.createConnection(urlFrom('COMPAT_MYSQL_URL'));
  const database = databaseNameOf(title);
  await admin.query(`drop database if exists ${database}`);
  await admin.query(`create database ${database}`);
  const url = Object.assign(new URL(urlFrom('COMPAT_MYSQL_URL')), { pathname: database }).href;
  const pool = createPool({
    uri: url,
    connectionLimit: 4,
    partitions: { order: { size: 2, acquireTimeoutMillis: 1_000 }, batch: 2 },
  });
  const order = pool.partition('order');
  const batch = pool.partition('batch').promise();
  await batch.query(schema);
  return {
    order,
    url,
    async connections() {
      const [rows] = await admin.query<mysql.RowDataPacket[]>(
        'select count(*) as count from information_schema.processlist where db = ?',
        [database],
      );
      return Number(rows[0]?.['count']);
    },
    async fill() {
      const face = order.promise();
      const held = await Promise.all([face.getConnection(), face.getConnection()]);
      return async () => held.forEach((connection) => connection.release());
    },
    granted: () => order.stats().counters.granted,
    inUse: () => order.stats().gauges.inUse,
    orderEnded: () => order._closed,
    async queryBatch() {
      await batch.query('select 1');
    },
    async stop() {
      await pool.promise().end();
      await admin.query(`drop database ${database}`);
      await admin.end();
    },
  };
}

/** The same with the face of `mysql2/promise`. */
export async function serveMysql2Promise(title: string): Promise<Served<PromisePartitionPool>> {
  const served = await serveMysql2(title);
  return { ...served, order: served.order.promise() };
}
