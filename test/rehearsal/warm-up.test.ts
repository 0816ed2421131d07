import { afterEach, expect, test } from '@jest/globals';
import { Pool } from '../../drivers/pg/index.ts';
import { openPartitioned, openShared, partitionedSubject } from '../../rehearsal/pg/subjects.ts';
import { labelUrl } from '../../rehearsal/pg/url.ts';
import type { Subject } from '../../rehearsal/subject.ts';
import { openStockPool, url } from '../support/pg.ts';

const label = 'watertight warm-up';

let subject: Subject;
afterEach(() => subject.close());

/** Connections that the server counts before the first request. */
async function opened(made: Subject): Promise<unknown> {
  subject = made;
  await subject.warmUp();
  const sql = 'select from pg_stat_activity where application_name = $1';
  return (await openStockPool({ max: 1 }).query(sql, [label])).rowCount;
}

test('a shared pool has all its connections before the first request', async () => {
  const acquireTimeoutMillis = 10_000;
  expect(await opened(openShared({ url: url(), label, max: 6, acquireTimeoutMillis }))).toBe(6);
});

test.each([
  ['without walls', 6, { order: { size: 0, max: 6 }, batch: { size: 0, max: 6 } }, 6],
  ['of fixed sizes', 6, { order: { size: 4 }, batch: { size: 2 } }, 6],
  ['with some unreserved', 6, { order: { size: 2 }, batch: { size: 1, max: 5 } }, 6],
  ['with some out of reach', 6, { order: { size: 2, max: 3 }, batch: { size: 1 } }, 4],
])('so has a pool %s', async (_, max, partitions, wanted) => {
  expect(await opened(openPartitioned({ url: url(), label, max, partitions }))).toBe(wanted);
});

test('what other partitions of the pool have reserved is not theirs', async () => {
  const order = { size: 1, max: 5 };
  const pool = new Pool({
    connectionString: labelUrl(url(), label),
    max: 6,
    partitions: { order, admin: 3 },
  });
  expect(await opened(partitionedSubject(pool, { order }))).toBe(3);
});
