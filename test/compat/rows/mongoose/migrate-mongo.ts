import { config, down, status, up } from 'migrate-mongo';
import type { Db, MongoClient } from 'mongodb';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isAcquireTimeoutError } from 'watertight';
import { assertNothingInUse, whileFull } from '../../support/assertions.ts';
import { serveMongoClient, type ServedMongo } from '../../support/mongo.ts';

const settings: Partial<config.Config> = {
  migrationsDir: new URL('../../support/migrations', import.meta.url).pathname,
  changelogCollectionName: 'changelog',
  migrationFileExtension: '.js',
  moduleSystem: 'esm',
};

describe('migrate-mongo', () => {
  let served: ServedMongo<MongoClient>;
  let db: Db;
  const count = (): Promise<number> => db.collection('items').countDocuments();

  before(async () => {
    served = await serveMongoClient('migrate-mongo');
    db = served.order.db();
    config.set(settings);
  });
  after(() => served?.stop());

  test('migrations', async () => {
    const { order: partition } = served;
    const before = served.granted();
    // #region wire
    const migrated = await up(partition.db(), partition);
    // #endregion
    assert.deepEqual(migrated, ['20261201000000-add-items.js']);
    assert.equal(await count(), 2);
    assert.ok(served.granted() > before);
  });

  test('rollback', async () => {
    await down(db, served.order);
    assert.equal(await count(), 0);
    assert.equal((await status(db))[0]?.appliedAt, 'PENDING');
  });

  test('walls', async () => {
    const all = () => Promise.all(Array.from({ length: 20 }, () => status(db)));
    assert.equal(await served.peakDuring(all), 2);
    assert.equal(served.clients(), 1);
  });

  test('short deadline', async () => {
    await whileFull(served, async () => {
      await assert.rejects(up(db, served.order), isAcquireTimeoutError);
      await served.queryBatch();
    });
    assert.equal((await up(db, served.order)).length, 1);
  });

  test('nothing in use afterwards', () => assertNothingInUse(served));
});
