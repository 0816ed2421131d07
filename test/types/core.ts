import { expectTypeOf } from 'expect-type';
import {
  isAcquireError,
  Partitioner,
  runIn,
  type AcquireError,
  type Lease,
  type Partition,
} from '../../src/index.ts';

// Only compiled, by `tsc`; never run.

const dependencies = new Partitioner({ partitions: { stt: 2, llm: { size: 1 } } });

expectTypeOf<Parameters<typeof dependencies.partition>[0]>().toEqualTypeOf<'stt' | 'llm'>();
expectTypeOf(dependencies.partition('stt')).toEqualTypeOf<Partition>();
// @ts-expect-error: a misspelt name
dependencies.partition('lm');
// @ts-expect-error: a misspelt name
void dependencies.run('lm', () => 1);

expectTypeOf(dependencies.run('llm', (signal) => signal.aborted)).resolves.toBeBoolean();
expectTypeOf(dependencies.run('llm', async () => 'text')).resolves.toBeString();
expectTypeOf(dependencies.acquire('stt')).resolves.toEqualTypeOf<Lease>();
expectTypeOf(dependencies.tryAcquire('stt')).toEqualTypeOf<Lease | undefined>();
expectTypeOf(dependencies.add('tenant-42', 2)).toEqualTypeOf<Partition>();

expectTypeOf(runIn('batch', () => 1)).toBeNumber();
expectTypeOf(runIn('batch', async () => 1)).resolves.toBeNumber();
// A query that is sent when it is awaited is awaited inside.
declare const query: PromiseLike<number> & { limit(count: number): unknown };
expectTypeOf(runIn('batch', () => query)).toEqualTypeOf<Promise<number>>();
export function inBatch<T>(fn: () => Promise<T>): Promise<T> {
  return runIn('batch', fn);
}

const error: unknown = undefined;
if (isAcquireError(error)) expectTypeOf(error).toEqualTypeOf<AcquireError>();
