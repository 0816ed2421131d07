import { EntitySchema, type EntityManager } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/mysql';
import { MysqlDialect } from 'kysely';
import { play } from '../../support/contract.ts';
import { serveMysql2 } from '../../support/mysql2.ts';

const Item = new EntitySchema<{ id: number; name: string }>({
  name: 'Item',
  tableName: 'items',
  properties: { id: { type: 'number', primary: true }, name: { type: 'string' } },
});

const insert = async (em: EntityManager, name: string): Promise<void> => {
  em.create(Item, { name } as never);
  await em.flush();
};

play('mysql2: mikro-orm', serveMysql2, {
  async open(partition) {
    // #region wire
    const orm = await MikroORM.init({
      driverOptions: new MysqlDialect({ pool: partition }),
      dbName: 'shop',
      entities: [Item],
    });
    // #endregion
    return orm;
  },
  insert: (orm, name) => insert(orm.em.fork(), name),
  names: async (orm) =>
    (await orm.em.fork().findAll(Item, { orderBy: { id: 'asc' } })).map(({ name }) => name),
  transaction: (orm, work) =>
    orm.em.fork().transactional((em) =>
      work({
        async connection() {
          const [row] = await em.execute('select connection_id() as id');
          return Number((row as { id: number }).id);
        },
        insert: (name) => insert(em, name),
      }),
    ),
  close: (orm) => orm.close(),
  closeEndsPartition: true,
});
