import knex from 'knex';
import { Model, transaction } from 'objection';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

class Item extends Model {
  static override tableName = 'items';
  declare id: number;
  declare name: string;
}

play('pg: objection', servePg, {
  open(partition) {
    // #region wire
    const db = knex({ client: 'pg', connectionPool: partition });
    Item.knex(db);
    // #endregion
    return db;
  },
  insert: (_, name) => Item.query().insert({ name }).execute(),
  names: async () => (await Item.query().orderBy('id')).map(({ name }) => name),
  transaction: (db, work) =>
    transaction(db, (trx) =>
      work({
        async connection() {
          const { rows } = await trx.raw('select pg_backend_pid() as pid');
          return rows[0].pid;
        },
        insert: (name) => Item.query(trx).insert({ name }).execute(),
      }),
    ),
  close: (db) => db.destroy(),
  closeEndsPartition: false,
});
