import knex, { type Knex } from 'knex';
import { Model } from 'objection';
import { play } from '../../support/contract.ts';
import { serveMysql2 } from '../../support/mysql2.ts';

class Item extends Model {
  static override tableName = 'items';
  declare id: number;
  declare name: string;
}

play('mysql2: objection', serveMysql2, {
  open(partition) {
    // #region wire
    const db = knex({ client: 'mysql2', connectionPool: partition as Knex.ConnectionPool });
    Model.knex(db);
    // #endregion
    return db;
  },
  insert: async (_, name) => Item.query().insert({ name }),
  names: async () => (await Item.query().orderBy('id')).map(({ name }) => name),
  transaction: (_, work) =>
    Item.transaction((tx) =>
      work({
        async connection() {
          const [[row]] = await tx.raw<[[{ id: number }]]>('select connection_id() as id');
          return row.id;
        },
        insert: async (name) => Item.query(tx).insert({ name }),
      }),
    ),
  close: (db) => db.destroy(),
  closeEndsPartition: false,
});
