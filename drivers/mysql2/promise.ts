import mysql2Promise from 'mysql2/promise';
import type { PoolOptions } from './config.ts';
import { DividedPool } from './pool.ts';
import type { PromiseDividedPool } from './promise-pool.ts';

export * from 'mysql2/promise';
export {
  PromiseDividedPool as DividedPool,
  PromisePartitionPool as PartitionPool,
} from './promise-pool.ts';
export { type PoolOptions } from './config.ts';
export { type EndOptions } from '../shared/end.ts';

/**
 * As `createPool` of `mysql2/promise`, divided into partitions.
 * @throws `ERR_CONFIG`, with every fault of the options at once.
 */
export function createPool<Name extends string = string>(
  options: PoolOptions<Name> | string,
): PromiseDividedPool<Name> {
  return new DividedPool<Name>(options).promise(promiseOf(options));
}

/** mysql2's option for a promise of one's own. */
function promiseOf(options: unknown): PromiseConstructor | undefined {
  return typeof options === 'string'
    ? undefined
    : (options as { Promise?: PromiseConstructor }).Promise;
}

/** `mysql2/promise` with our `createPool` in place of its own. */
const partitionedMysql2: Omit<typeof mysql2Promise, 'createPool'> & {
  createPool: typeof createPool;
} = Object.defineProperties({} as typeof mysql2Promise & { createPool: never }, {
  ...Object.getOwnPropertyDescriptors(mysql2Promise),
  createPool: { value: createPool, enumerable: true },
});
export default partitionedMysql2;
