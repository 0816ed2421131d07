import { expectTypeOf } from 'expect-type';
import stock from 'mysql2';
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2';
import stockPromise from 'mysql2/promise';
import type {
  FieldPacket,
  Pool as PromisePool,
  PoolConnection as PromisePoolConnection,
} from 'mysql2/promise';
import watertight, {
  createPool,
  type DividedPool,
  type PartitionPool,
} from '../../drivers/mysql2/index.ts';
import watertightPromise, {
  createPool as createPromisePool,
  type PartitionPool as PromisePartitionPool,
} from '../../drivers/mysql2/promise.ts';

// Only compiled, by `tsc`; never run.

type NamesOf<P extends { partition(name: never): unknown }> = Parameters<P['partition']>[0];

const options = { connectionLimit: 20, partitions: { order: { size: 8 }, search: 8, batch: 4 } };
const pool = createPool(options);
const promise = createPromisePool(options);

// The names come from the keys of the configuration.
expectTypeOf<NamesOf<typeof pool>>().toEqualTypeOf<'order' | 'search' | 'batch'>();
expectTypeOf<NamesOf<typeof promise>>().toEqualTypeOf<'order' | 'search' | 'batch'>();
expectTypeOf(pool.partition('order')).toEqualTypeOf<PartitionPool>();
expectTypeOf(promise.partition('order')).toEqualTypeOf<PromisePartitionPool>();
expectTypeOf<NamesOf<ReturnType<typeof pool.promise>>>().toEqualTypeOf<NamesOf<typeof pool>>();
// @ts-expect-error: a misspelt name
pool.partition('ordr');
// @ts-expect-error: a misspelt name
promise.partition('ordr');
// @ts-expect-error: a default that is no partition
createPool({ partitions: { order: 8 }, defaultPartition: 'ordr' });
createPool({ partitions: { order: 8 }, defaultPartition: 'order' });
// @ts-expect-error: a partition needs a size
createPool({ partitions: { order: { max: 8 } } });
// @ts-expect-error: a misspelt option
createPool({ partitions: { order: { size: 8, maxWaitng: 5 } } });
// @ts-expect-error: a misspelt option
createPool({ conectionLimit: 5 });

// Without names in the configuration there are none to check.
expectTypeOf<NamesOf<ReturnType<typeof createPool>>>().toEqualTypeOf<string>();
const plain = createPool('mysql://u@h/d?connectionLimit=20');
expectTypeOf<NamesOf<typeof plain>>().toEqualTypeOf<string>();

// Any divided pool.
const takesAny = (any: DividedPool): DividedPool => any;
takesAny(pool);
takesAny(plain);

// All go wherever a pool of mysql2 goes.
expectTypeOf(pool).toExtend<Pool>();
expectTypeOf(pool.partition('order')).toExtend<Pool>();
expectTypeOf(promise).toExtend<PromisePool>();
expectTypeOf(promise.partition('order')).toExtend<PromisePool>();
expectTypeOf(pool.partition('order').promise()).toExtend<PromisePool>();

// mysql2's own call styles keep their types.
interface Order extends RowDataPacket {
  id: number;
}
pool.query<Order[]>('select id from orders', (error, found) => {
  expectTypeOf(error).toExtend<Error | null>();
  expectTypeOf(found).toEqualTypeOf<Order[]>();
});
pool.partition('order').execute<Order[]>('select ?', [1], (_, found) => {
  expectTypeOf(found).toEqualTypeOf<Order[]>();
});
pool.query('select 1').stream();
pool.getConnection((_, connection) => {
  expectTypeOf(connection).toEqualTypeOf<PoolConnection>();
});
pool.getConnection(() => {}, { acquireTimeoutMillis: 0, label: 'job', priority: 1 });
expectTypeOf(promise.query<Order[]>('select 1')).resolves.toEqualTypeOf<[Order[], FieldPacket[]]>();
expectTypeOf(
  promise.getConnection({ acquireTimeoutMillis: 0 }),
).resolves.toEqualTypeOf<PromisePoolConnection>();
expectTypeOf(promise.withConnection(async () => 1)).resolves.toEqualTypeOf<number>();
expectTypeOf(pool.withConnection(async () => 1)).resolves.toEqualTypeOf<number>();
pool.end();
pool.end(() => {});
pool.end({ drain: true }, () => {});
expectTypeOf(promise.end({ timeoutMillis: 1 })).resolves.toEqualTypeOf<void>();

// As a module, and everything else that mysql2 exports.
expectTypeOf(pool.partition('order').driver().createPool()).toEqualTypeOf<PartitionPool>();
expectTypeOf(
  promise.partition('order').driver().createPool(),
).toEqualTypeOf<PromisePartitionPool>();
expectTypeOf(pool.partition('order').driver().createConnection).toEqualTypeOf(
  stock.createConnection,
);
expectTypeOf(watertight.createConnection).toEqualTypeOf(stock.createConnection);
expectTypeOf<keyof typeof stock>().toExtend<keyof typeof watertight>();
expectTypeOf<keyof typeof stockPromise>().toExtend<keyof typeof watertightPromise>();
