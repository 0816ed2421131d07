import { Kysely, PostgresDialect, sql, type Generated } from 'kysely';
import Cursor from 'pg-cursor';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

interface Database {
  items: { id: Generated<number>; name: string };
}

const connectionOf = async (db: Kysely<Database>): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]!.pid;
};

play('pg: kysely', servePg, {
  open(partition) {
    // #region wire
    const db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: partition, cursor: Cursor }),
    });
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
    const series = sql<number>`generate_series(1, ${count}::int)`.as('n');
    for await (const { n } of db.selectNoFrom(series).stream(100)) yield n;
  },
  close: (db) => db.destroy(),
  closeEndsPartition: true,
});
