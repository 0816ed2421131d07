import { expect, test } from '@jest/globals';
import { connect, openPool, openPromisePool, rows } from '../support/mysql.ts';
test('works', async () => {
  const pool = openPool({ connectionLimit: 3, partitions: { order: 1, batch: 2 }, defaultPartition: 'order' });
  expect(await rows(pool.partition('order'), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await rows(pool, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await rows(pool.partition('batch'), 'select 1 as one')).toEqual([{ one: 1 }]);
  const c = await connect(pool.partition('batch'));
  c.release();
  expect(pool.stats().inUse).toBe(0);
});
test('promise', async () => {
  const pool = openPromisePool({ connectionLimit: 3, partitions: { order: 1, batch: 2 }, defaultPartition: 'order' });
  expect((await pool.query('select 1 as one'))[0]).toEqual([{ one: 1 }]);
  expect((await pool.partition('batch').execute('select ? as one', [1]))[0]).toEqual([{ one: 1 }]);
  const conn = await pool.getConnection({ acquireTimeoutMillis: 0 });
  await conn.query('select 1');
  conn.release();
});
