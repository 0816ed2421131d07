import pg from 'pg';
import { Sequelize } from 'sequelize';
import { DataTypes, QueryTypes } from 'sequelize';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

play('pg: sequelize', servePg, {
  open(partition) {
    const { host, port, user, password, database } = new pg.Client(
      partition.options.connectionString,
    );
    // #region wire
    const db = new Sequelize(database!, user!, password, {
      dialect: 'postgres',
      dialectModule: partition.driver(),
      host,
      port,
      // Its own pool: no larger than the partition, and quick to close what it does not use.
      pool: { max: 2, idle: 1_000, evict: 500 },
      logging: false,
    });
    // #endregion
    db.define('Item', { name: DataTypes.TEXT }, { tableName: 'items', timestamps: false });
    return db;
  },
  insert: (db, name) => db.model('Item').create({ name }),
  names: async (db) =>
    (await db.model('Item').findAll({ order: ['id'] })).map((item) => item.get('name') as string),
  transaction: (db, work) =>
    db.transaction((transaction) =>
      work({
        async connection() {
          const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid', {
            transaction,
            type: QueryTypes.SELECT,
          });
          return row!.pid;
        },
        insert: (name) => db.model('Item').create({ name }, { transaction }),
      }),
    ),
  close: (db) => db.close(),
  closeEndsPartition: false,
  keepsConnections: true,
});
