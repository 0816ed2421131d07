import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, serial, text } from 'drizzle-orm/pg-core';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

const items = pgTable('items', {
  id: serial().primaryKey(),
  name: text().notNull(),
});

play('pg: drizzle-orm', servePg, {
  open(partition) {
    // #region wire
    const db = drizzle({ client: partition });
    // #endregion
    return { db, partition };
  },
  insert: ({ db }, name) => db.insert(items).values({ name }),
  names: async ({ db }) =>
    (await db.select().from(items).orderBy(items.id)).map(({ name }) => name),
  transaction: ({ db }, work) =>
    db.transaction((tx) =>
      work({
        async connection() {
          const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
          return rows[0]!.pid;
        },
        insert: (name) => tx.insert(items).values({ name }),
      }),
    ),
  close: ({ partition }) => partition.end(),
  closeEndsPartition: true,
});
