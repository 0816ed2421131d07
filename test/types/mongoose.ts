import { expectTypeOf } from 'expect-type';
import mongoose, { type Connection } from 'mongoose';
import {
  partitionClient,
  partitionConnection,
  type Partitioned,
  type PartitionedStats,
} from '../../drivers/mongoose/index.ts';

// Only compiled, by `tsc`; never run.

const partitioned = partitionConnection(mongoose.connection, {
  partitions: { order: { size: 8, acquireTimeoutMillis: 500 }, batch: 4 },
  defaultPartition: 'order',
  finishReserve: 2,
});

// The names come from the keys of the configuration, a partition is what was divided.
expectTypeOf<Parameters<typeof partitioned.partition>[0]>().toEqualTypeOf<'order' | 'batch'>();
expectTypeOf(partitioned.partition('order')).toEqualTypeOf<Connection>();
expectTypeOf(partitioned).toEqualTypeOf<Partitioned<'order' | 'batch', Connection>>();
expectTypeOf(partitioned.stats()).toEqualTypeOf<PartitionedStats>();
expectTypeOf(partitioned.isFull('batch')).toBeBoolean();
expectTypeOf(partitioned.end({ timeoutMillis: 1000, drain: true })).resolves.toBeVoid();

// @ts-expect-error: a misspelt name
partitioned.partition('ordr');
// @ts-expect-error: a misspelt name
partitioned.available('ordr');
// @ts-expect-error: a default that is no partition
partitionConnection(mongoose.connection, { partitions: { order: 8 }, defaultPartition: 'ordr' });
// @ts-expect-error: a misspelt option
partitionConnection(mongoose.connection, { partitions: { order: { size: 8, maxWaitng: 1 } } });
// @ts-expect-error: not a connection
partitionConnection(mongoose, { partitions: { order: 8 } });

// Models of a handle are as those of any connection.
const schema = new mongoose.Schema({ name: String });
const Order = partitioned.partition('order').model('Order', schema);
void Order.findOne({ name: 'one' });

// Without names in the configuration there is one.
const plain = partitionConnection(mongoose.createConnection());
expectTypeOf<Parameters<typeof plain.partition>[0]>().toEqualTypeOf<'default'>();

// The client of the driver alone.
const client = new mongoose.mongo.MongoClient('mongodb://localhost');
const clients = partitionClient(client, { partitions: { order: 8, batch: 4 } });
expectTypeOf(clients.partition('batch')).toEqualTypeOf<mongoose.mongo.MongoClient>();
expectTypeOf(clients.partition('batch').db('shop').databaseName).toBeString();
