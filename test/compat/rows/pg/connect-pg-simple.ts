import assert from 'node:assert/strict';
import connectPgSimple from 'connect-pg-simple';
import expressSession from 'express-session';
import { Cookie, type SessionData, type Store } from 'express-session';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';

interface Visits extends SessionData {
  visits: number;
}

const told = <T>(run: (done: (error: unknown, value?: T | null) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    run((error, value) => (error ? reject(error as Error) : resolve(value as T)));
  });

const set = (store: Store, id: string, visits: number): Promise<unknown> => {
  const data: Visits = { cookie: new Cookie(), visits };
  return told((done) => store.set(id, data, done));
};

const get = async (store: Store, id: string): Promise<number | undefined> =>
  (await told<Visits | undefined>((done) => store.get(id, done as never)))?.visits;

playOwn('pg: connect-pg-simple', servePg, {
  open(partition) {
    // #region wire
    const PgStore = connectPgSimple(expressSession);
    const store = new PgStore({ pool: partition, createTableIfMissing: true });
    // #endregion
    return store;
  },
  behaviours: {
    async sessions(store) {
      await set(store, 'one', 1);
      await set(store, 'one', 2);
      assert.equal(await get(store, 'one'), 2);
      await told((done) => store.destroy('one', done));
      assert.equal(await get(store, 'one'), undefined);
    },
    async 'concurrent sessions'(store) {
      const counts = Array.from({ length: 20 }, (_, i) => i);
      await Promise.all(counts.map((count) => set(store, `session ${count}`, count)));
      const found = await Promise.all(counts.map((count) => get(store, `session ${count}`)));
      assert.deepEqual(found, counts);
    },
  },
  call: (store) => get(store, 'session 1'),
  close: (store) => store.close(),
  closeEndsPartition: false,
});
