import assert from 'node:assert/strict';
import { isAcquireError, runIn } from 'watertight';
import { Pool } from 'watertight/pg';

const pool = new Pool({
  connectionString: process.env.COMPAT_PG_URL,
  max: 3,
  partitions: { order: { size: 2, acquireTimeoutMillis: 500 }, batch: 1 },
  defaultPartition: 'order',
});
const order = pool.partition('order');

const { rows } = await order.query('select $1::int + 1 as two', [1]);
assert.deepEqual(rows, [{ two: 2 }]);

const sleeps = await Promise.all(
  Array.from({ length: 6 }, () => order.query('select pg_sleep(0.01), pg_backend_pid() as pid')),
);
assert.ok(new Set(sleeps.map(({ rows: [row] }) => row.pid)).size <= 2);

const held = [await order.connect(), await order.connect()];
await assert.rejects(order.query('select 1'), (error) => {
  assert.ok(isAcquireError(error));
  assert.equal(error.code, 'ERR_ACQUIRE_TIMEOUT');
  return true;
});
await runIn('batch', () => pool.query('select 1'));
assert.equal(pool.partition('batch').stats().counters.granted, 1);
for (const client of held) client.release();

await order.query('select 1');
assert.equal(order.stats().gauges.inUse, 0);
await pool.end();
console.log('the walls hold');
