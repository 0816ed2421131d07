import { EntitySchema, MikroORM, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

const Item = new EntitySchema<{ id?: number; name: string }>({
  name: 'Item',
  tableName: 'items',
  properties: { id: { type: 'number', primary: true }, name: { type: 'text' } },
});

play('pg: mikro-orm', servePg, {
  async open(partition, url) {
    // #region wire
    const orm = await MikroORM.init({
      driver: PostgreSqlDriver,
      driverOptions: () => new PostgresDialect({ pool: partition }),
      dbName: new URL(url).pathname.slice(1),
      entities: [Item],
    });
    // #endregion
    return orm;
  },
  insert: async (orm, name) => orm.em.fork().insert(Item, { name }),
  names: async (orm) =>
    (await orm.em.fork().find(Item, {}, { orderBy: { id: 'asc' } })).map(({ name }) => name),
  transaction: (orm, work) =>
    orm.em.fork().transactional((em) =>
      work({
        async connection() {
          const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
          return row!.pid;
        },
        insert: (name) => em.insert(Item, { name }),
      }),
    ),
  close: (orm) => orm.close(),
  closeEndsPartition: true,
});
