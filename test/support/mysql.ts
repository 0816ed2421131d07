import { afterEach } from '@jest/globals';
import mysql2 from 'mysql2';
import type { PoolConnection, RowDataPacket } from 'mysql2';
import stockPromise from 'mysql2/promise';
import { urlOf } from '../servers/describe-on.ts';
import { openProxy, type Proxy } from './proxy.ts';
import { createPool, type DividedPool, type PoolOptions } from '../../drivers/mysql2/index.ts';
import * as promise from '../../drivers/mysql2/promise.ts';

export { rejection, until } from './pg.ts';

/** The server under test: MySQL, or MariaDB where there is no MySQL. */
export const url = (): string => urlOf('mysql');

const opened = new Map<object, () => Promise<void>>();

/** A pool on the test server, ended after the test. */
export function openPool<Name extends string = 'default'>(
  options?: PoolOptions<Name>,
): DividedPool<Name> {
  const pool = createPool<Name>({ uri: url(), ...options });
  // A test that failed may have left leases behind.
  opened.set(
    pool,
    () => new Promise((resolve) => pool.end({ timeoutMillis: 500 }, () => resolve())),
  );
  return pool;
}

export function openPromisePool<Name extends string = 'default'>(
  options?: PoolOptions<Name>,
): promise.DividedPool<Name> {
  const pool = promise.createPool<Name>({ uri: url(), ...options });
  opened.set(pool, () => pool.end({ timeoutMillis: 500 }));
  return pool;
}

/** A stock connection, to look at the server from outside. */
export async function openAdmin(): Promise<stockPromise.Connection> {
  const connection = await stockPromise.createConnection(url());
  opened.set(connection, () => connection.end());
  return connection;
}

/** A stock pool as the control of an experiment. */
export function openStockPool(options?: mysql2.PoolOptions): mysql2.Pool {
  const pool = mysql2.createPool({ uri: url(), ...options });
  opened.set(pool, () => new Promise((resolve) => pool.end(() => resolve())));
  return pool;
}

afterEach(async () => {
  const ends = [...opened.values()];
  opened.clear();
  await Promise.all(ends.map((end) => end()));
});

/** A connection by mysql2's callback. */
export const connect = (pool: mysql2.Pool): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
  });

/** The rows of one statement, on a connection or a pool of the callback face. */
export const rows = (on: Pick<mysql2.Pool, 'query'>, sql: string): Promise<RowDataPacket[]> =>
  new Promise((resolve, reject) => {
    on.query<RowDataPacket[]>(sql, (error, result) => (error ? reject(error) : resolve(result)));
  });

/** Ends a connection from the server's side. */
export async function killOnServer(threadId: number): Promise<void> {
  const admin = await openAdmin();
  await admin.query(`kill ${threadId}`);
}

/** A proxy before the test server, and the options for a pool that goes through it. */
export async function openMysqlProxy(): Promise<{
  readonly proxy: Proxy;
  readonly through: { readonly host: string; readonly port: number };
}> {
  const { hostname, port } = new URL(url());
  const proxy = await openProxy({ host: hostname, port: Number(port) });
  return { proxy, through: { host: '127.0.0.1', port: proxy.port } };
}

/** A user of its own, whose connections the server counts. */
export async function makeUser(name: string): Promise<{
  readonly login: { readonly user: string; readonly password: string };
  readonly count: () => Promise<number>;
}> {
  const admin = await openAdmin();
  await admin.query(`drop user if exists ${name}@'%'`);
  await admin.query(`create user ${name}@'%' identified by 'test'`);
  await admin.query(`grant all on *.* to ${name}@'%'`);
  const count = async (): Promise<number> => {
    const [found] = await admin.query<RowDataPacket[]>(
      'select count(*) as count from information_schema.processlist where user = ?',
      [name],
    );
    return Number(found[0]?.['count']);
  };
  return { login: { user: name, password: 'test' }, count };
}

export const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis));
