import type watertight from 'watertight/pg';
import type { PartitionPool } from 'watertight/pg';
import { urlFrom } from '../urls.ts';
import type { Partition, Traced } from './scenario.ts';

/** @param Pool of the module that was loaded after the tracer */
export function tracePg(Pool: typeof watertight.Pool): Traced {
  const pool = new Pool({
    connectionString: urlFrom('COMPAT_PG_URL'),
    max: 4,
    partitions: { order: 2, batch: 2 },
    acquireTimeoutMillis: 20_000,
  });
  const in_ = (name: Partition): PartitionPool => pool.partition(name);
  const select = (name: string): string => `select 1 as "${name}"`;
  return {
    styles: {
      promise: { statements: 1, run: (partition, name) => in_(partition).query(select(name)) },
      callback: {
        statements: 1,
        run: (partition, name) =>
          new Promise((resolve, reject) => {
            in_(partition).query(select(name), (error, result) =>
              error ? reject(error) : resolve(result),
            );
          }),
      },
      transaction: {
        statements: 3,
        async run(partition, name) {
          const client = await in_(partition).connect();
          await client.query(`begin /* ${name} */`);
          await client.query(select(name));
          await client.query(`commit /* ${name} */`);
          client.release();
        },
      },
      connect_callback: {
        statements: 1,
        run: (partition, name) =>
          new Promise((resolve, reject) => {
            in_(partition).connect((error, client, release) => {
              if (error || !client) return reject(error!);
              client.query(select(name), (failure) => {
                release();
                if (failure) reject(failure);
                else resolve(undefined);
              });
            });
          }),
      },
    },
    async fill() {
      const clients = [await in_('order').connect(), await in_('order').connect()];
      return async () => clients.forEach((client) => client.release());
    },
    inUse: () => in_('order').stats().gauges.inUse,
    stop: () => pool.end(),
  };
}
