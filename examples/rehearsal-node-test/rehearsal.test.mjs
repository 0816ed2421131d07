import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pool } from 'watertight/pg';
import { monthEnd, rehearse } from 'watertight/rehearsal';

test('the month-end reports take no connection from orders and searches', async ({ signal }) => {
  const result = await rehearse(monthEnd, {
    url: process.env.DATABASE_URL, // without one, on an embedded PostgreSQL
    signal,
    // Your own factory. Its pool is to connect with this url.
    createPool: ({ url, max }) =>
      new Pool({ connectionString: url, max, partitions: { order: 8, search: 8, batch: 4 } }),
  });
  assert.ok(result.met, result.summary);
  assert.equal(result.partition('order').failed, 0);
});
