import knex from 'knex';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

interface Item {
  id: number;
  name: string;
}

play('pg: knex', servePg, {
  open(partition) {
    // #region wire
    const db = knex({ client: 'pg', connectionPool: partition });
    // #endregion
    return db;
  },
  insert: (db, name) => db<Item>('items').insert({ name }),
  names: (db) => db<Item>('items').orderBy('id').pluck('name'),
  transaction: (db, work) =>
    db.transaction((trx) =>
      work({
        async connection() {
          const { rows } = await trx.raw('select pg_backend_pid() as pid');
          return rows[0].pid;
        },
        insert: (name) => trx<Item>('items').insert({ name }),
      }),
    ),
  // Outside a transaction Knex releases the connection of a stream twice, pg's own pools, too.
  async *stream(db, count) {
    const trx = await db.transaction();
    const series = trx.raw('generate_series(1, ?::int) as n', [count]);
    for await (const { n } of trx.select('n').from(series).stream()) yield n;
    await trx.commit();
  },
  close: (db) => db.destroy(),
  closeEndsPartition: false,
});
