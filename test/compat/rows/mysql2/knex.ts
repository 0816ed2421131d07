import knex, { type Knex } from 'knex';
import { play } from '../../support/contract.ts';
import { serveMysql2 } from '../../support/mysql2.ts';
import { series } from '../../support/series.ts';

interface Item {
  id: number;
  name: string;
}

play('mysql2: knex', serveMysql2, {
  open(partition) {
    // #region wire
    const db = knex({ client: 'mysql2', connectionPool: partition as Knex.ConnectionPool });
    // #endregion
    return db;
  },
  insert: (db, name) => db<Item>('items').insert({ name }),
  names: (db) => db<Item>('items').orderBy('id').pluck('name'),
  transaction: (db, work) =>
    db.transaction((tx) =>
      work({
        async connection() {
          const [[row]] = await tx.raw<[[{ id: number }]]>('select connection_id() as id');
          return row.id;
        },
        insert: (name) => tx<Item>('items').insert({ name }),
      }),
    ),
  async *stream(db, count) {
    for await (const { n } of db.raw(series(count)).stream()) yield n;
  },
  close: (db) => db.destroy(),
  closeEndsPartition: false,
});
