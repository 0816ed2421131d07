import type { PartitionedOptions } from './config.ts';
import type { Client } from './driver.ts';
import { Partitioned } from './partitioned.ts';

/**
 * Divides the connections of a `MongoClient` of the driver `mongodb` into partitions, each shown as a
 * `MongoClient`. Before or after it connects.
 *
 * @throws `ERR_CONFIG` with every fault at once; an error when the client is divided already, or its
 * driver is older than 6.13.
 */
export function partitionClient<MongoClient extends object, Name extends string = 'default'>(
  client: MongoClient,
  options?: PartitionedOptions<Name>,
): Partitioned<Name, MongoClient> {
  const given = client as unknown as Client;
  return new Partitioned<Name, MongoClient>(
    options,
    {
      show: (name, shown) => shown.facade(name) as unknown as MongoClient,
      close: () => given.close(),
      release: () => {},
    },
    given,
  );
}
