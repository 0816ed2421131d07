import { describe, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { openPool, rejection, until } from '../support/pg.ts';
import { openProxy, through } from '../support/proxy.ts';

const partitions = { order: 1, batch: 1 };

const settingsOf = async (client: PoolClient): Promise<unknown> => {
  const { rows } = await client.query(
    `select current_setting('statement_timeout') as timeout, current_setting('search_path') as path,
            current_user as role, to_regclass('leftover') as temp,
            (select count(*)::int from pg_locks where locktype = 'advisory') as locks`,
  );
  return rows[0];
};

const leaveTraces = async (client: PoolClient): Promise<void> => {
  await client.query(`set statement_timeout = 12345; set search_path to nowhere, pg_temp;
    create temp table leftover (n int); select pg_advisory_lock(42); listen news`);
};

describe('a session that goes from one partition to another', () => {
  test('keeps what was set on it, as between two holders of any pool', async () => {
    const pool = openPool({ max: 2, partitions });
    await pool.partition('batch').withConnection(leaveTraces);
    const settings = await pool.partition('order').withConnection(settingsOf);
    expect(settings).toMatchObject({ timeout: '12345ms', temp: 'leftover', locks: 1 });
  });

  test('with resetOnHop is as new, on the same connection', async () => {
    const pool = openPool({ max: 2, partitions, resetOnHop: true, statement_timeout: 30_000 });
    const first = await pool.partition('order').withConnection(settingsOf);
    await pool.partition('batch').withConnection(leaveTraces);
    expect(await pool.partition('order').withConnection(settingsOf)).toEqual(first);
    expect(first).toMatchObject({ timeout: '30s', temp: null, locks: 0 });
    expect(pool.totalCount).toBe(1);
  });

  test('with resetOnHop still knows its prepared statements', async () => {
    const pool = openPool({ max: 2, partitions, resetOnHop: true });
    const named = { name: 'one', text: 'select 1 as one' };
    await pool.partition('order').query(named);
    await pool.partition('batch').query('select 2');
    expect((await pool.partition('order').query(named)).rows).toEqual([{ one: 1 }]);
  });

  test('is not reset while it stays in its partition', async () => {
    const pool = openPool({ max: 2, partitions, resetOnHop: true });
    const order = pool.partition('order');
    await order.query("set application_name to 'mine'");
    expect((await order.query('show application_name')).rows[0].application_name).toBe('mine');
  });

  test('is closed when the reset fails, and the caller is told', async () => {
    const proxy = await openProxy();
    const pool = openPool({ ...through(proxy), max: 2, partitions, resetOnHop: true });
    pool.on('error', () => {});
    const client = await pool.partition('batch').connect();
    client.release();
    client.query = ((_: unknown, done: (error: Error) => void) => {
      done(new Error('reset failed'));
    }) as unknown as typeof client.query;
    const order = pool.partition('order');
    expect((await rejection(order.query('select 1'))).message).toBe('reset failed');
    await until(() => order.available === 1);
    expect((await order.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(proxy.accepted).toBe(2);
  });
});

describe('a verify hook', () => {
  test('that never calls back does not keep the permit', async () => {
    let hang = true;
    const pool = openPool({
      max: 1,
      partitions: { order: 1 },
      connectionTimeoutMillis: 100,
      verify: (_, done) => {
        if (!hang) done();
      },
    });
    const order = pool.partition('order');
    expect(await rejection(order.connect())).toMatchObject({ step: 'connecting' });
    hang = false;
    await until(() => !order.isFull);
    (await order.connect()).release();
  });
});
