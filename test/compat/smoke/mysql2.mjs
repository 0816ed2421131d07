import assert from 'node:assert/strict';
import { isAcquireError, runIn } from 'watertight';
import { createPool } from 'watertight/mysql2/promise';

const pool = createPool({
  uri: process.env.COMPAT_MYSQL_URL,
  connectionLimit: 3,
  partitions: { order: { size: 2, acquireTimeoutMillis: 500 }, batch: 1 },
  defaultPartition: 'order',
});
const order = pool.partition('order');

const [rows] = await order.execute('select ? + 1 as two', [1]);
assert.equal(Number(rows[0].two), 2);

const sleeps = await Promise.all(
  Array.from({ length: 6 }, () => order.query('select sleep(0.01), connection_id() as id')),
);
assert.ok(new Set(sleeps.map(([[row]]) => row.id)).size <= 2);

const held = [await order.getConnection(), await order.getConnection()];
await assert.rejects(order.query('select 1'), (error) => {
  assert.ok(isAcquireError(error));
  assert.equal(error.code, 'ERR_ACQUIRE_TIMEOUT');
  return true;
});
await runIn('batch', () => pool.query('select 1'));
assert.equal(pool.partition('batch').stats().counters.granted, 1);
for (const connection of held) connection.release();

await order.query('select 1');
assert.equal(order.stats().gauges.inUse, 0);
await pool.end();
console.log('the walls hold');
