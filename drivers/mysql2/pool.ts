import type { PoolConnection } from 'mysql2';
import type { PoolConnection as PromisePoolConnection } from 'mysql2/promise';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import { Partitioner, type PartitionerStats } from '../../src/partitioner.ts';
import type { EndOptions } from '../shared/end.ts';
import { Router } from '../shared/router.ts';
import type { ConnectionCallback } from './checkout.ts';
import { resolvePoolOptions, type PoolOptions, type ResolvedPoolOptions } from './config.ts';
import type { TrackedConnection } from './connection.ts';
import { endWithCallback, type EndCallback } from './end.ts';
import { PartitionPool, type Owner } from './partition-pool.ts';
import { Physical } from './physical.ts';
import { PromiseDividedPool } from './promise-pool.ts';
import { callBackWell } from './query.ts';
import { releaseAny, withConnection } from './release.ts';
import { setUp } from './set-up.ts';
import { StockPool } from './stock.ts';
import { mysql2Traits } from './traits.ts';
import { overrideViews } from './views.ts';

/**
 * A `mysql2.Pool` that is divided into partitions. Calls on it go to the partition of the
 * surrounding `runIn`, else to `defaultPartition`. Made by `createPool`.
 */
export class DividedPool<Name extends string = string> extends StockPool implements Owner {
  /** Only for this driver. */
  readonly physical: Physical;
  /** Only for this driver. */
  readonly partitioner: Partitioner;
  declare _closed: boolean;
  readonly #options: ResolvedPoolOptions;
  readonly #pools: Router<PartitionPool>;
  /** Partitions that have ended. */
  #ended = 0;
  #physicalEnd: Promise<void> | undefined = undefined;

  constructor(options: PoolOptions<Name> | string) {
    const resolved = resolvePoolOptions(options);
    const physical = new Physical(resolved);
    super({ config: physical.config });
    physical.config.connectionConfig.pool = physical.pool;
    this.#options = resolved;
    this.physical = physical;
    const { max, partitions, waitForConnections } = resolved;
    this.partitioner = new Partitioner(
      { max, partitions: Object.fromEntries(partitions.map(({ name, ...rest }) => [name, rest])) },
      { traits: mysql2Traits(waitForConnections) },
    );
    this.#pools = new Router(this.partitioner, resolved);
    for (const partition of this.partitioner.partitions) {
      this.#pools.set(partition.name, new PartitionPool(this, partition));
    }
    physical.pool.on('connection', (connection: unknown) => {
      setUp(this, connection as TrackedConnection);
    });
  }

  /**
   * The named partition, as a `mysql2.Pool` of its own.
   * @throws `ERR_UNKNOWN_PARTITION`
   */
  partition(name: Name): PartitionPool {
    return this.#pools.of(name);
  }

  /**
   * As `PartitionPool.getConnection`, in the partition of the surrounding `runIn`, else in
   * `defaultPartition`. The callback gets `ERR_NO_PARTITION` when there is neither, and
   * `ERR_UNKNOWN_PARTITION` when `runIn` names a partition that this pool does not have.
   */
  override getConnection(callback: ConnectionCallback, options?: AcquireOptions): void {
    let pool: PartitionPool;
    try {
      pool = this.#pools.route();
    } catch (error) {
      process.nextTick(callback, error, undefined);
      return;
    }
    pool.getConnection(callback, options);
  }

  /** As `PartitionPool.withConnection`, in the partition where `getConnection` would go. */
  withConnection<T>(
    fn: (connection: PoolConnection) => T | PromiseLike<T>,
    options?: AcquireOptions,
  ): Promise<T> {
    return withConnection(this, fn, options);
  }

  /** Releases a connection that is held, and nothing else. */
  override releaseConnection(connection: PoolConnection | PromisePoolConnection): void {
    releaseAny(connection);
  }

  /** A frozen snapshot of the pool and of each partition. */
  stats(): PartitionerStats {
    return this.partitioner.stats();
  }

  /** Ends every partition and the physical pool; calls back when the last socket is gone. */
  override end(callback?: EndCallback): void;
  override end(options: EndOptions, callback?: EndCallback): void;
  override end(given?: EndOptions | EndCallback, callback?: EndCallback): void {
    endWithCallback(given, callback, (options) => this.endWith(options));
  }

  override promise(promise?: PromiseConstructor): PromiseDividedPool<Name> {
    return new PromiseDividedPool<Name>(this, promise);
  }

  // What follows is called by this driver only.

  get mayHop(): boolean {
    const { resetOnHop, partitions } = this.#options;
    return resetOnHop && partitions.length > 1;
  }

  /** Called by each partition that has ended: the last one ends the physical pool. */
  async partitionEnded(): Promise<void> {
    this.#ended++;
    if (this.#ended < this.partitioner.names.length) return;
    this.#physicalEnd ??= this.physical.end();
    await this.#physicalEnd;
  }

  /** Ends the pool, or joins the end that is under way. */
  async endWith(options: EndOptions): Promise<void> {
    this._closed = true;
    await Promise.all(Array.from(this.#pools.all, (pool) => pool.endWith(options)));
  }
}

callBackWell(DividedPool);
overrideViews(DividedPool, ({ partitioner }) => partitioner.waiting);
