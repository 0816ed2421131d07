import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { attachDatabasePool } from '@vercel/functions';
import { Pool } from 'watertight/pg';
import { assertNothingInUse } from '../../support/assertions.ts';
import { countConnections } from '../../support/pg-witness.ts';
import { urlFrom } from '../../support/urls.ts';

/** What the platform is asked to stay awake for. */
let awaited: Promise<unknown>[] = [];
const platform = { waitUntil: (promise: Promise<unknown>) => awaited.push(promise) };
Reflect.set(globalThis, Symbol.for('@vercel/request-context'), { get: () => platform });
Object.assign(process.env, { VERCEL_URL: 'shop.example', VERCEL_REGION: 'fra1' });

describe('pg: @vercel/functions', () => {
  const application_name = 'compat vercel-functions';
  const pool = new Pool({
    connectionString: urlFrom('COMPAT_PG_URL'),
    application_name,
    idleTimeoutMillis: 300,
    partitions: { order: 2, batch: 2 },
  });
  const order = pool.partition('order');
  const batch = pool.partition('batch');
  afterEach(() => (awaited = []));
  after(() => pool.end());

  /** The function sleeps when nothing is awaited any more. */
  async function assertAsleepWithoutConnections(): Promise<void> {
    await Promise.all(awaited);
    assert.equal(await countConnections(application_name), 0);
  }

  test('attached partition', async () => {
    // #region wire
    attachDatabasePool(order); // or the pool, for all partitions
    // #endregion
    await Promise.all([order.query('select 1'), order.query('select 1')]);
    assert.equal(awaited.length, 2);
    assert.equal(await countConnections(application_name), 2);
    await assertAsleepWithoutConnections();
    await batch.query('select 1');
    assert.equal(awaited.length, 2, 'a connection of another partition');
  });

  test('attached pool', async () => {
    order.removeAllListeners('release');
    attachDatabasePool(pool);
    await Promise.all([order.query('select 1'), batch.query('select 1')]);
    assert.equal(awaited.length, 2);
    await assertAsleepWithoutConnections();
  });

  test('nothing in use afterwards', () =>
    assertNothingInUse({
      inUse: () => order.stats().gauges.inUse + batch.stats().gauges.inUse,
    }));
});
