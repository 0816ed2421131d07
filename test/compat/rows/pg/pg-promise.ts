import pgPromise from 'pg-promise';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

play('pg: pg-promise', servePg, {
  open(partition) {
    // #region wire
    const pgp = pgPromise();
    (pgp as { pg: unknown }).pg = partition.driver();
    const db = pgp({});
    // #endregion
    return db;
  },
  insert: (db, name) => db.none('insert into items (name) values ($1)', name),
  names: (db) => db.map('select name from items order by id', [], ({ name }) => name),
  transaction: (db, work) =>
    db.tx((tx) =>
      work({
        connection: () => tx.one('select pg_backend_pid() as pid', [], ({ pid }) => pid),
        insert: (name) => tx.none('insert into items (name) values ($1)', name),
      }),
    ),
  close: async (db) => db.$pool.end(),
  closeEndsPartition: true,
});
