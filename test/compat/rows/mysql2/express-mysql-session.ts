import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import expressSession from 'express-session';
import type { SessionData, Store } from 'express-session';
import mysqlSession from 'express-mysql-session';
import type { PartitionPool } from 'watertight/mysql2';
import { assertNothingInUse, assertShortDeadline } from '../../support/assertions.ts';
import { serveMysql2 } from '../../support/mysql2.ts';
import type { Served } from '../../support/served.ts';

interface Visits extends SessionData {
  visits: number;
}

const told = <T>(run: (done: (error: unknown, value?: T | null) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    run((error, value) => (error ? reject(error as Error) : resolve(value as T)));
  });

describe('mysql2: express-mysql-session', () => {
  let served: Served<PartitionPool>;
  let store: Store & { close(): Promise<void> };
  const visits = async (id: string): Promise<number | undefined> =>
    (await told<Visits | undefined>((done) => store.get(id, done as never)))?.visits;
  const set = (id: string, count: number): Promise<unknown> => {
    const data: Visits = { cookie: new expressSession.Cookie(), visits: count };
    return told((done) => store.set(id, data, done));
  };

  before(async () => {
    served = await serveMysql2('mysql2: express-mysql-session');
    const { order: partition } = served;
    // #region wire
    const MySQLStore = mysqlSession(expressSession);
    const sessions = new MySQLStore({}, partition as never);
    // #endregion
    store = sessions;
    await sessions.onReady();
  });
  after(() => served?.stop());

  test('sessions', async () => {
    await set('one', 1);
    assert.equal(await visits('one'), 1);
    await set('one', 2);
    assert.equal(await visits('one'), 2);
    await told((done) => store.destroy('one', done));
    assert.equal(await visits('one'), undefined);
  });

  test('concurrent sessions', async () => {
    const granted = served.granted();
    const counts = Array.from({ length: 20 }, (_, i) => i);
    await Promise.all(counts.map((count) => set(`session ${count}`, count)));
    const found = await Promise.all(counts.map((count) => visits(`session ${count}`)));
    assert.deepEqual(found, counts);
    assert.ok(served.granted() >= granted + 40, 'each statement took a permit');
  });

  test('walls', async () => {
    assert.ok((await served.connections()) <= 3, `${await served.connections()} connections`);
  });

  test('short deadline', () => assertShortDeadline(served, () => visits('session 1')));

  test('nothing in use afterwards', () => assertNothingInUse(served));

  test('shutdown', async () => {
    await store.close();
    assert.ok(!served.orderEnded());
    await served.queryBatch();
  });
});
