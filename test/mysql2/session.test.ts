import { describe, expect, test } from '@jest/globals';
import {
  connect,
  openAdmin,
  openMysqlProxy,
  openPool,
  openPromisePool,
  rejection,
  rows,
  until,
  url,
} from '../support/mysql.ts';
import type { Pool } from 'mysql2/promise';

const partitions = { order: { size: 0, max: 1 }, batch: { size: 0, max: 1 } };
const hopping = { connectionLimit: 1, partitions };

const state = async (pool: Pool): Promise<unknown> => {
  const [[settings], [locks], [tables]] = [
    await pool.query(`select @@sql_mode as mode, @@time_zone as zone, @@autocommit as autocommit,
      database() as db, @mine as mine, @@collation_connection as collation,
      @@character_set_client as charset, @@character_set_results as results`),
    await pool.query(`select is_free_lock('watertight') as free`),
    await pool.query('select * from leftover').then(
      () => [['leftover']],
      () => [[]],
    ),
  ];
  return { settings, locks, tables };
};

const TRACES = [
  ...["set sql_mode = ''", "set time_zone = '+09:00'", 'set autocommit = 0', 'set @mine = 1'],
  ...[
    'set names latin1',
    "do get_lock('watertight', 0)",
    'create temporary table leftover (n int)',
  ],
  ...['use mysql'],
];

const leaveTraces = (pool: ReturnType<typeof openPromisePool<'order' | 'batch'>>): Promise<void> =>
  pool.partition('batch').withConnection(async (connection) => {
    for (const trace of TRACES) await connection.query(trace);
  });

describe('a session that goes from one partition to another', () => {
  test('is as new: settings, locks, tables, database, character set', async () => {
    const pool = openPromisePool<'order' | 'batch'>(hopping);
    const fresh = await state(pool.partition('order'));
    const threads = new Set<number>();
    await leaveTraces(pool);
    await pool.partition('order').withConnection(({ threadId }) => threads.add(threadId));
    await leaveTraces(pool);
    await pool.partition('order').withConnection(({ threadId }) => threads.add(threadId));
    await leaveTraces(pool);
    expect(await state(pool.partition('order'))).toEqual(fresh);
    expect(threads.size).toBe(1);
  });

  test('has no open transaction', async () => {
    const admin = await openAdmin();
    await admin.query('drop table if exists hopped');
    await admin.query('create table hopped (n int) engine=innodb');
    const pool = openPromisePool<'order' | 'batch'>(hopping);
    await pool.partition('batch').withConnection(async (connection) => {
      await connection.beginTransaction();
      await connection.query('insert into hopped values (1)');
    });
    expect((await pool.partition('order').query('select n from hopped'))[0]).toEqual([]);
    await admin.query('drop table hopped');
  });

  test('prepares its statements again', async () => {
    const pool = openPromisePool<'order' | 'batch'>(hopping);
    for (const name of ['order', 'batch', 'order', 'order', 'batch'] as const) {
      const [found] = await pool.partition(name).execute('select ? as n', [1]);
      expect(found).toEqual([{ n: 1 }]);
    }
  });

  test('is in no database when the pool has none', async () => {
    const nowhere = new URL(url());
    nowhere.pathname = '';
    const pool = openPromisePool<'order' | 'batch'>({ ...hopping, uri: nowhere.href });
    await pool.partition('batch').query('use mysql');
    const [found] = await pool.partition('order').query('select database() as db');
    expect(found).toEqual([{ db: null }]);
  });

  test('belongs to the user of the pool again', async () => {
    const admin = await openAdmin();
    await admin.query("drop user if exists guest@'%'");
    await admin.query("create user guest@'%' identified by 'x'");
    await admin.query("grant all on *.* to guest@'%'");
    const pool = openPromisePool<'order' | 'batch'>(hopping);
    const [before] = await pool
      .partition('order')
      .query('select current_user() as me, database() as db');
    await pool
      .partition('batch')
      .withConnection((connection) =>
        connection.changeUser({ user: 'guest', password: 'x', database: 'mysql' }),
      );
    const [after] = await pool
      .partition('order')
      .query('select current_user() as me, database() as db');
    expect(after).toEqual(before);
  });

  test('keeps what was set on it with resetOnHop: false', async () => {
    const pool = openPromisePool<'order' | 'batch'>({ ...hopping, resetOnHop: false });
    await pool.partition('batch').query('set @mine = 1');
    const [found] = await pool.partition('order').query('select @mine as mine');
    expect(found).toEqual([{ mine: 1 }]);
  });

  test('that cannot be reset is closed, its caller told, and its permit comes back', async () => {
    const { proxy, through } = await openMysqlProxy();
    const pool = openPool<'order' | 'batch'>({
      ...{ ...hopping, ...through, acquireTimeoutMillis: 2000 },
    });
    await rows(pool.partition('batch'), 'select 1');
    proxy.freeze();
    const waiting = rejection(connect(pool.partition('order')));
    proxy.cut();
    expect((await waiting).message).toMatch(/Connection lost|ECONN|closed/);
    await until(() => pool.partition('order').available === 1);
    expect(await rows(pool.partition('order'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a session that stays in its partition', () => {
  test('keeps what was set on it, as between two holders of any pool', async () => {
    const pool = openPromisePool<'order' | 'batch'>(hopping);
    await pool.partition('order').query('set @mine = 1');
    const [found] = await pool.partition('order').query('select @mine as mine');
    expect(found).toEqual([{ mine: 1 }]);
  });

  test.each(['idle', 'handed over'])('is as new with resetOnRelease: true, %s', async (how) => {
    const pool = openPromisePool<'order' | 'batch'>({ ...hopping, resetOnRelease: true });
    const order = pool.partition('order');
    const connection = await order.getConnection();
    const waiting =
      how === 'idle' ? undefined : order.query('select @mine as mine, database() as db');
    await connection.query('set @mine = 1');
    await connection.query('use mysql');
    connection.release();
    const [found] = await (waiting ?? order.query('select @mine as mine, database() as db'));
    expect(found).toEqual([{ mine: null, db: expect.not.stringMatching('mysql') }]);
  });
});

test.each(['latin1', 'utf8mb4_bin', 'UTF8MB4_UNICODE_CI'])(
  'a session with charset %s speaks it again after a reset',
  async (charset) => {
    const pool = openPromisePool<'order' | 'batch'>({ ...hopping, charset });
    const speak = async (name: 'order' | 'batch'): Promise<unknown> =>
      (await pool.partition(name).query("select @@collation_connection as c, 'Zoë' as name"))[0];
    const before = await speak('order');
    await pool.partition('batch').query('set names koi8r');
    expect(await speak('order')).toEqual(before);
    expect(before).toMatchObject([{ name: 'Zoë' }]);
  },
);
