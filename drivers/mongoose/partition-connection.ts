import type { PartitionedOptions } from './config.ts';
import type { Client } from './driver.ts';
import { handleOf, type MongooseConnection } from './handle.ts';
import { Partitioned, type Subject } from './partitioned.ts';

/** Any `Connection` of mongoose, of whichever copy. */
export interface AnyConnection {
  getClient(): object;
  useDb(name: string): unknown;
}

/**
 * Divides the connections of a mongoose connection into partitions, each shown as a `Connection` with
 * the models of this one. Before or after it connects, and also when it is closed and opened again.
 *
 * Operations of the connection itself go to the partition of the surrounding `runIn`, else to
 * `defaultPartition`.
 *
 * @throws `ERR_CONFIG` with every fault at once; an error when the connection's client is divided
 * already, or mongoose is older than 8.10.
 */
export function partitionConnection<
  Connection extends AnyConnection,
  Name extends string = 'default',
>(connection: Connection, options?: PartitionedOptions<Name>): Partitioned<Name, Connection> {
  const base = connection as unknown as MongooseConnection;
  let release = (): void => {};
  const subject: Subject<Connection> = {
    show: (name, shown) =>
      handleOf(
        base,
        () => shown.facade(name),
        () => shown.forget(name),
      ) as unknown as Connection,
    close: () => base.close(),
    release: () => release(),
  };
  const partitioned = new Partitioned<Name, Connection>(options, subject, base.client ?? undefined);
  release = followClient(base, (client) => partitioned.attach(client));
  return partitioned;
}

/**
 * A connection gets a new client each time it is opened, which must not go past the partitions.
 * @returns makes it a plain property again
 */
function followClient(base: MongooseConnection, onClient: (client: Client) => void): () => void {
  let current = base.client;
  Object.defineProperty(base, 'client', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(client: typeof current) {
      if (client && client !== current) onClient(client);
      current = client;
    },
  });
  return () => {
    Object.defineProperty(base, 'client', {
      configurable: true,
      enumerable: true,
      writable: true,
      value: current,
    });
  };
}
