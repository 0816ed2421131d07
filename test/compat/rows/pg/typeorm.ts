import { DataSource, EntitySchema } from 'typeorm';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

const Item = new EntitySchema<{ id: number; name: string }>({
  name: 'Item',
  tableName: 'items',
  columns: { id: { type: Number, primary: true, generated: true }, name: { type: String } },
});

play('pg: typeorm', servePg, {
  open(partition) {
    // #region wire
    const db = new DataSource({
      type: 'postgres',
      driver: partition.driver(),
      entities: [Item],
    });
    // #endregion
    return db.initialize();
  },
  insert: (db, name) => db.getRepository(Item).insert({ name }),
  names: async (db) =>
    (await db.getRepository(Item).find({ order: { id: 'ASC' } })).map(({ name }) => name),
  transaction: (db, work) =>
    db.transaction((manager) =>
      work({
        async connection() {
          const rows = await manager.query<{ pid: number }[]>('select pg_backend_pid() as pid');
          return rows[0]!.pid;
        },
        insert: (name) => manager.insert(Item, { name }),
      }),
    ),
  async *stream(db, count) {
    const runner = db.createQueryRunner();
    try {
      const rows = await runner.stream('select generate_series(1, $1::int) as n', [count]);
      for await (const { n } of rows as AsyncIterable<{ n: number }>) yield n;
    } finally {
      await runner.release();
    }
  },
  close: (db) => db.destroy(),
  closeEndsPartition: true,
});
