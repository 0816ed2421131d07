import mysql2 from 'mysql2';
import { createPool as createPromisePool } from './promise.ts';
import type { PoolOptions } from './config.ts';
import { DividedPool } from './pool.ts';

export * from 'mysql2';
export { createPool as createPoolPromise } from './promise.ts';
export { DividedPool } from './pool.ts';
export { PartitionPool } from './partition-pool.ts';
export { type PoolOptions } from './config.ts';
export { type EndOptions } from '../shared/end.ts';

/**
 * As `mysql2.createPool`, divided into partitions.
 * @throws `ERR_CONFIG`, with every fault of the options at once.
 */
export function createPool<Name extends string = string>(
  options: PoolOptions<Name> | string,
): DividedPool<Name> {
  return new DividedPool(options);
}

/** `mysql2` with our `createPool` in place of its own. */
const partitionedMysql2: Omit<typeof mysql2, 'createPool'> & {
  createPool: typeof createPool;
  createPoolPromise: typeof createPromisePool;
} = Object.defineProperties({} as typeof mysql2 & { createPool: never; createPoolPromise: never }, {
  ...Object.getOwnPropertyDescriptors(mysql2),
  createPool: { value: createPool, enumerable: true },
  createPoolPromise: { value: createPromisePool, enumerable: true },
});
export default partitionedMysql2;
