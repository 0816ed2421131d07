import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/mysql2';
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core';
import { play } from '../../support/contract.ts';
import { serveMysql2Promise } from '../../support/mysql2.ts';

const items = mysqlTable('items', {
  id: int().autoincrement().primaryKey(),
  name: varchar({ length: 100 }).notNull(),
});

play('mysql2: drizzle-orm, promise', serveMysql2Promise, {
  open(partition) {
    // #region wire
    // The partition of a pool of watertight/mysql2/promise.
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
          const [rows] = await tx.execute(sql`select connection_id() as id`);
          return (rows as unknown as { id: number }[])[0]!.id;
        },
        insert: (name) => tx.insert(items).values({ name }),
      }),
    ),
  close: ({ partition }) => partition.end(),
  closeEndsPartition: true,
});
