import MongoStore from 'connect-mongo';
import express from 'express';
import session, { type Store } from 'express-session';
import type { MongoClient } from 'mongodb';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertNothingInUse, whileFull } from '../../support/assertions.ts';
import { listening, type Application } from '../../support/framework.ts';
import { serveMongoClient, type ServedMongo } from '../../support/mongo.ts';

describe('connect-mongo', () => {
  let served: ServedMongo<MongoClient>;
  let store: Store & { close(): Promise<void> };
  let application: Application;

  before(async () => {
    served = await serveMongoClient('connect-mongo');
    const { order: partition } = served;
    // #region wire
    store = MongoStore.create({ client: partition });
    const sessions = session({
      store,
      secret: 'keyboard cat',
      resave: false,
      saveUninitialized: true,
    });
    // #endregion
    const app = express().set('env', 'test').use(sessions);
    app.get('/', (request, response) => {
      const visitor = request.session as typeof request.session & { visits?: number };
      visitor.visits = (visitor.visits ?? 0) + 1;
      response.json(visitor.visits);
    });
    application = await listening(app.listen(0, '127.0.0.1'));
  });
  after(() => served?.stop());

  const visit = (cookie = ''): Promise<Response> => fetch(application.url, { headers: { cookie } });
  const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')!.split(';')[0]!;

  test('sessions', async () => {
    const before = served.granted();
    const first = await visit();
    assert.equal(await first.json(), 1);
    assert.equal(await (await visit(cookieOf(first))).json(), 2);
    assert.ok(served.granted() > before);
  });

  test('walls', async () => {
    const all = () => Promise.all(Array.from({ length: 20 }, () => visit()));
    assert.equal(await served.peakDuring(all), 2);
    assert.equal(served.clients(), 1);
  });

  test('503', async () => {
    const known = cookieOf(await visit());
    await whileFull(served, async () => {
      const answer = await visit(known);
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
      await served.queryBatch();
    });
    assert.equal((await visit(known)).status, 200);
  });

  test('nothing in use afterwards', () => assertNothingInUse(served));

  test('shutdown', async () => {
    await application.close();
    const opened = served.opened();
    await store.close();
    await served.queryBatch();
    assert.equal(served.opened(), opened);
  });
});
