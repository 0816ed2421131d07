import QueryStream from 'pg-query-stream';
import type { PoolClient } from 'watertight/pg';
import type { PartitionPool } from 'watertight/pg';
import { createDriverFactory, createPool, type DriverCommand } from 'slonik';
import { sql, type CommonQueryMethods, type DatabasePool } from 'slonik';
import { play } from '../../support/contract.ts';
import { servePg } from '../../support/pg.ts';

const connectionOf = async (db: CommonQueryMethods): Promise<number> =>
  (await db.oneFirst(sql.unsafe`select pg_backend_pid() as pid`)) as number;

const insert = (db: CommonQueryMethods, name: string): Promise<unknown> =>
  db.query(sql.unsafe`insert into items (name) values (${name})`);

play<PartitionPool, DatabasePool>('pg: slonik', servePg, {
  async open(partition, url): Promise<DatabasePool> {
    // #region wire
    const driverFactory = createDriverFactory(async () => ({
      async createPoolClient() {
        let client: PoolClient | undefined;
        return {
          async connect() {
            client = await partition.connect();
          },
          async end() {
            client?.release();
          },
          async query(text, values) {
            const { command, fields, ...result } = await client!.query(text, values as unknown[]);
            return {
              ...result,
              command: command as DriverCommand,
              fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeId: dataTypeID })),
            };
          },
          stream: (text, values) =>
            client!
              .query(new QueryStream(text, values as unknown[]))
              .map((row) => ({ fields: [], row })),
        };
      },
    }));
    const db = await createPool(url, { driverFactory, maximumPoolSize: 2, idleTimeout: 1_000 });
    // #endregion
    return db;
  },
  insert,
  names: async (db) =>
    (await db.anyFirst(sql.unsafe`select name from items order by id`)) as string[],
  transaction: (db, work) =>
    db.transaction((tx) =>
      work({ connection: () => connectionOf(tx), insert: (name) => insert(tx, name) }),
    ),
  async *stream(db, count) {
    const rows: number[] = [];
    const series = sql.unsafe`select generate_series(1, ${count}::int) as n`;
    await db.stream(series, (stream) => {
      stream.on('data', ({ data }) => rows.push((data as { n: number }).n));
    });
    yield* rows;
  },
  close: (db) => db.end(),
  closeEndsPartition: false,
  keepsConnections: true,
});
