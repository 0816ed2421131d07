import type watertight from 'watertight/mysql2';
import type { PartitionPool } from 'watertight/mysql2';
import { urlFrom } from '../urls.ts';
import type { Partition, Traced } from './scenario.ts';

/** @param createPool of the module that was loaded after the tracer */
export function traceMysql2(createPool: typeof watertight.createPool): Traced {
  const pool = createPool({
    uri: urlFrom('COMPAT_MYSQL_URL'),
    connectionLimit: 4,
    partitions: { order: 2, batch: 2 },
    acquireTimeoutMillis: 20_000,
  });
  const in_ = (name: Partition): PartitionPool => pool.partition(name);
  const select = (name: string): string => `select 1 as ${name}`;
  return {
    styles: {
      promise: {
        statements: 1,
        run: (partition, name) => in_(partition).promise().query(select(name)),
      },
      callback: {
        statements: 1,
        run: (partition, name) =>
          new Promise((resolve, reject) => {
            in_(partition).query(select(name), (error, rows) =>
              error ? reject(error) : resolve(rows),
            );
          }),
      },
      stream: {
        statements: 1,
        run: (partition, name) => in_(partition).query(select(name)).stream().toArray(),
      },
      execute: {
        statements: 1,
        run: (partition, name) => in_(partition).promise().execute(select(name)),
      },
      transaction: {
        statements: 3,
        async run(partition, name) {
          const connection = await in_(partition).promise().getConnection();
          await connection.query(`start transaction /* ${name} */`);
          await connection.query(select(name));
          await connection.query(`commit /* ${name} */`);
          connection.release();
        },
      },
      connect_callback: {
        statements: 1,
        run: (partition, name) =>
          new Promise((resolve, reject) => {
            in_(partition).getConnection((error, connection) => {
              if (error) return reject(error);
              connection.query(select(name), (failure, rows) => {
                connection.release();
                if (failure) reject(failure);
                else resolve(rows);
              });
            });
          }),
      },
    },
    async fill() {
      const order = in_('order').promise();
      const connections = [await order.getConnection(), await order.getConnection()];
      return async () => connections.forEach((connection) => connection.release());
    },
    inUse: () => in_('order').stats().gauges.inUse,
    stop: () => pool.promise().end(),
  };
}
