import { Kysely, MysqlDialect, sql, type Generated } from 'kysely';
import { play } from '../../support/contract.ts';
import { serveMysql2 } from '../../support/mysql2.ts';

interface Database {
  items: { id: Generated<number>; name: string };
}

const connectionOf = async (db: Kysely<Database>): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(db);
  return rows[0]!.id;
};

play('mysql2: kysely', serveMysql2, {
  open(partition) {
    // #region wire
    const db = new Kysely<Database>({ dialect: new MysqlDialect({ pool: partition }) });
    // #endregion
    return db;
  },
  insert: (db, name) => db.insertInto('items').values({ name }).execute(),
  names: async (db) =>
    (await db.selectFrom('items').select('name').orderBy('id').execute()).map(({ name }) => name),
  transaction: (db, work) =>
    db.transaction().execute((trx) =>
      work({
        connection: () => connectionOf(trx),
        insert: (name) => trx.insertInto('items').values({ name }).execute(),
      }),
    ),
  async *stream(db, count) {
    const numbers = db
      .withRecursive('numbers(n)', (with_) =>
        with_.selectNoFrom(sql<number>`1`.as('n')).unionAll((and) =>
          and
            .selectFrom('numbers')
            .where('n', '<', count)
            .select(sql<number>`n + 1`.as('n')),
        ),
      )
      .selectFrom('numbers')
      .select('n');
    for await (const { n } of numbers.stream()) yield n;
  },
  close: (db) => db.destroy(),
  closeEndsPartition: true,
});
