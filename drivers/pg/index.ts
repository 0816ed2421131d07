import pg from 'pg';
import { Pool } from './pool.ts';

export * from 'pg';
export { Pool } from './pool.ts';
export { type PoolConfig } from './config.ts';
export { type EndOptions } from '../shared/end.ts';
export { PartitionPool } from './partition-pool.ts';

/** `pg` with our `Pool` in place of its own. `native` is loaded by pg, once, when first asked for. */
const partitionedPg: Omit<typeof pg, 'Pool'> & { Pool: typeof Pool } = Object.defineProperties(
  {} as typeof pg & { Pool: typeof Pool },
  {
    ...Object.getOwnPropertyDescriptors(pg),
    Pool: { value: Pool, enumerable: true },
    native: { get: () => pg.native },
  },
);
export default partitionedPg;
