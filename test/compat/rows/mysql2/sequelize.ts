import { DataTypes, QueryTypes, Sequelize } from 'sequelize';
import { play } from '../../support/contract.ts';
import { serveMysql2 } from '../../support/mysql2.ts';

play('mysql2: sequelize', serveMysql2, {
  open(partition, url) {
    // #region wire
    const db = new Sequelize(url, {
      dialect: 'mysql',
      dialectModule: partition.driver(),
      // Its own pool: no larger than the partition, and quick to close what it does not use.
      pool: { max: 2, idle: 1_000, evict: 500 },
      logging: false,
    });
    // #endregion
    return { db, items: db.define('items', { name: DataTypes.STRING }, { timestamps: false }) };
  },
  insert: ({ items }, name) => items.create({ name }),
  names: async ({ items }) =>
    (await items.findAll({ order: ['id'] })).map((item) => String(item.get('name'))),
  transaction: ({ db, items }, work) =>
    db.transaction((transaction) =>
      work({
        async connection() {
          const sql = 'select connection_id() as id';
          const [row] = await db.query<{ id: number }>(sql, {
            type: QueryTypes.SELECT,
            transaction,
          });
          return row!.id;
        },
        insert: (name) => items.create({ name }, { transaction }),
      }),
    ),
  close: ({ db }) => db.close(),
  closeEndsPartition: false,
  keepsConnections: true,
});
