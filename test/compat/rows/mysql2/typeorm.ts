import { DataSource, EntitySchema, type QueryRunner } from 'typeorm';
import { play } from '../../support/contract.ts';
import { serveMysql2 } from '../../support/mysql2.ts';
import { series } from '../../support/series.ts';

const Item = new EntitySchema<{ id: number; name: string }>({
  name: 'items',
  columns: { id: { type: Number, primary: true, generated: true }, name: { type: String } },
});

play('mysql2: typeorm', serveMysql2, {
  open(partition) {
    // #region wire
    const db = new DataSource({ type: 'mysql', driver: partition.driver(), entities: [Item] });
    // #endregion
    return db.initialize();
  },
  insert: (db, name) => db.getRepository(Item).save({ name }),
  names: async (db) =>
    (await db.getRepository(Item).find({ order: { id: 'asc' } })).map(({ name }) => name),
  transaction: (db, work) =>
    db.transaction((manager) =>
      work({
        async connection() {
          const [row] = await manager.query<{ id: number }[]>('select connection_id() as id');
          return row!.id;
        },
        insert: (name) => manager.save(Item, { name }),
      }),
    ),
  async *stream(db, count) {
    const runner: QueryRunner = db.createQueryRunner();
    try {
      for await (const { n } of await runner.stream(series(count))) yield n;
    } finally {
      await runner.release();
    }
  },
  close: (db) => db.destroy(),
  closeEndsPartition: true,
});
