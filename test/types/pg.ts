import { expectTypeOf } from 'expect-type';
import stock from 'pg';
import type { PoolClient, QueryResult } from 'pg';
import watertightPg, { Pool, type PartitionPool } from '../../drivers/pg/index.ts';

// Only compiled, by `tsc`; never run.

type NamesOf<P extends { partition(name: never): unknown }> = Parameters<P['partition']>[0];

const pool = new Pool({ max: 20, partitions: { order: { size: 8 }, search: 8, batch: 4 } });

// The names come from the keys of the configuration.
expectTypeOf<NamesOf<typeof pool>>().toEqualTypeOf<'order' | 'search' | 'batch'>();
expectTypeOf(pool.partition('order')).toEqualTypeOf<PartitionPool>();
// @ts-expect-error: a misspelt name
pool.partition('ordr');
// @ts-expect-error: a default that is no partition
void new Pool({ partitions: { order: 8 }, defaultPartition: 'ordr' });
void new Pool({ partitions: { order: 8 }, defaultPartition: 'order' });
// @ts-expect-error: a partition needs a size
void new Pool({ partitions: { order: { max: 8 } } });
// @ts-expect-error: a misspelt option
void new Pool({ partitions: { order: { size: 8, maxWaitng: 5 } } });

// Without names in the configuration there are none to check.
const plain = new Pool({ max: 5 });
expectTypeOf<NamesOf<typeof plain>>().toEqualTypeOf<string>();

// `Pool` alone, as in code written for pg, is any divided pool.
const annotated: Pool = new Pool({ max: 20, partitions: { order: 8, batch: 4 } });
const takesAny = (any: Pool): Pool => any;
takesAny(pool);
takesAny(annotated);
takesAny(plain);

// Names that are known at run time only.
const names: Record<string, number> = {};
const late = new Pool({ partitions: names });
expectTypeOf<NamesOf<typeof late>>().toEqualTypeOf<string>();

// Both pools go wherever a `pg.Pool` goes.
expectTypeOf(pool).toExtend<stock.Pool>();
expectTypeOf(pool.partition('order')).toExtend<stock.Pool>();

// pg's own call styles keep their types.
expectTypeOf(pool.connect()).resolves.toEqualTypeOf<PoolClient>();
expectTypeOf(pool.query<{ one: number }>('select 1 as one')).resolves.toEqualTypeOf<
  QueryResult<{ one: number }>
>();
pool.connect((error, client, release) => {
  expectTypeOf(error).toEqualTypeOf<Error | undefined>();
  expectTypeOf(client).toEqualTypeOf<PoolClient | undefined>();
  release(true);
});
expectTypeOf(pool.withConnection(async () => 1)).resolves.toEqualTypeOf<number>();

// Everything else that pg exports is there.
expectTypeOf(watertightPg.Client).toEqualTypeOf(stock.Client);
expectTypeOf<keyof typeof stock>().toExtend<keyof typeof watertightPg>();

// As a module: everything of pg, and a pool that is the partition.
const driver = pool.partition('order').driver();
expectTypeOf(new driver.Pool()).toEqualTypeOf<PartitionPool>();
expectTypeOf(driver).toExtend<typeof stock>();
expectTypeOf(driver.Client).toEqualTypeOf(stock.Client);
expectTypeOf<keyof typeof stock>().toExtend<keyof typeof driver>();
