import { Agenda } from 'agenda';
import { MongoBackend } from '@agendajs/mongo-backend';
import type { MongoClient } from 'mongodb';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isAcquireTimeoutError } from 'watertight';
import { assertNothingInUse, whileFull } from '../../support/assertions.ts';
import { serveMongoClient, type ServedMongo } from '../../support/mongo.ts';

describe('agenda', () => {
  let served: ServedMongo<MongoClient>;
  let agenda: Agenda;
  const done: number[] = [];

  before(async () => {
    served = await serveMongoClient('agenda');
    const { order: partition } = served;
    // #region wire
    agenda = new Agenda({
      backend: new MongoBackend({ mongo: partition.db() }),
      processEvery: '1 second',
    });
    // #endregion
    // agenda keeps a timer for half of it after each job, and so the process: 5 minutes otherwise.
    agenda.define('count', async () => {}, { lockLifetime: 8_000 });
    agenda.on('complete:count', ({ attrs }) => done.push((attrs.data as { n: number }).n));
    await agenda.start();
  });
  after(() => served?.stop());

  const until = async (count: number): Promise<void> => {
    for (let turn = 0; turn < 500 && done.length < count; turn++) await delay(20);
    assert.equal(done.length, count);
  };

  test('jobs', async () => {
    const before = served.granted();
    await agenda.now('count', { n: 0 });
    await until(1);
    assert.ok(served.granted() > before);
  });

  test('walls', async () => {
    const peak = await served.peakDuring(async () => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => agenda.now('count', { n: i + 1 })));
      await until(21);
    });
    assert.equal(peak, 2);
    assert.equal(served.clients(), 1);
    assert.equal(new Set(done).size, 21);
  });

  test('short deadline', async () => {
    await whileFull(served, async () => {
      await assert.rejects(agenda.now('count', { n: 22 }), isAcquireTimeoutError);
      await served.queryBatch();
    });
    await agenda.now('count', { n: 23 });
    await until(22);
  });

  test('shutdown', async () => {
    const opened = served.opened();
    await agenda.drain();
    await served.queryBatch();
    assert.equal(served.opened(), opened);
  });

  test('nothing in use afterwards', () => assertNothingInUse(served));
});
