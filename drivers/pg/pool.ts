import pg from 'pg';
import type { PoolClient } from 'pg';
import { Partitioner, type PartitionerStats } from '../../src/partitioner.ts';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import type { ConnectCallback } from './checkout.ts';
import { kHome, kSeenBy, type TrackedClient } from './client.ts';
import { resolvePoolConfig, type PoolConfig, type ResolvedPoolConfig } from './config.ts';
import { overrideCounts } from './counts.ts';
import { emit } from '../shared/emit.ts';
import type { EndOptions } from '../shared/end.ts';
import { Router } from '../shared/router.ts';
import { endOnce } from './end.ts';
import { PartitionPool, type Owner } from './partition-pool.ts';
import { Physical } from './physical.ts';
import { keepContextInQuery } from './query.ts';
import { pgTraits } from './traits.ts';

/**
 * A `pg.Pool` that is divided into partitions. Calls on it go to the partition of the surrounding
 * `runIn`, else to `defaultPartition`.
 *
 * @throws `ERR_CONFIG` from the constructor, with every fault of the configuration at once.
 */
export class Pool<Name extends string = string> extends pg.Pool implements Owner {
  /** Only for this driver. */
  readonly physical: Physical;
  declare ending: boolean;
  declare ended: boolean;
  declare readonly Promise: PromiseConstructor;
  /** As in `PartitionPool`. */
  inQuery = false;
  readonly #config: ResolvedPoolConfig;
  /** Only for this driver. */
  readonly partitioner: Partitioner;
  readonly #pools: Router<PartitionPool>;
  #physicalEnd: Promise<void> | undefined = undefined;

  constructor(config?: PoolConfig<Name>) {
    const resolved = resolvePoolConfig(config);
    super(resolved.stock);
    this.#config = resolved;
    this.physical = new Physical(resolved.stock, resolved.limitMillis);
    const { max, partitions } = resolved;
    this.partitioner = new Partitioner(
      { max, partitions: Object.fromEntries(partitions.map(({ name, ...rest }) => [name, rest])) },
      { traits: pgTraits },
    );
    this.#pools = new Router(this.partitioner, resolved);
    for (const partition of this.partitioner.partitions) {
      this.#pools.set(partition.name, new PartitionPool(this, partition));
    }
    this.#mirrorEvents();
  }

  /**
   * The named partition, as a `pg.Pool` of its own.
   * @throws `ERR_UNKNOWN_PARTITION`
   */
  partition(name: Name): PartitionPool {
    return this.#pools.of(name);
  }

  /**
   * As `pg.Pool.connect`, in the partition of the surrounding `runIn`, else in `defaultPartition`.
   * @throws as `PartitionPool.connect`; `ERR_NO_PARTITION` when there is neither, and
   * `ERR_UNKNOWN_PARTITION` when `runIn` names a partition that this pool does not have.
   */
  override connect(options?: AcquireOptions): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(given?: AcquireOptions | ConnectCallback): Promise<PoolClient> | void {
    try {
      const pool = this.#pools.route();
      if (typeof given !== 'function') return pool.connect(given);
      pool.inQuery = this.inQuery;
      return pool.connect(given);
    } catch (error) {
      if (typeof given !== 'function') return this.Promise.reject(error);
      process.nextTick(() => given(error as Error, undefined, () => {}));
    }
  }

  /** As `PartitionPool.withConnection`, in the partition where `connect` would go. */
  async withConnection<T>(
    fn: (client: PoolClient) => T | PromiseLike<T>,
    options?: AcquireOptions,
  ): Promise<T> {
    return this.#pools.route().withConnection(fn, options);
  }

  /** A frozen snapshot of the pool and of each partition. */
  stats(): PartitionerStats {
    return this.partitioner.stats();
  }

  /** Ends every partition and the physical pool; settles when the last socket is gone. */
  override end(options?: EndOptions): Promise<void>;
  override end(callback: (error?: Error) => void): void;
  override end(given?: EndOptions | ((error?: Error) => void)): Promise<void> | void {
    return endOnce(this, given, (options) => this.#endWith(options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endWith({});
  }

  /** Only for this driver. */
  get resetOnHop(): boolean {
    return this.#config.resetOnHop;
  }

  /** Called by each partition that has ended: the last one ends the physical pool. */
  async partitionEnded(): Promise<void> {
    if (![...this.#pools.all].every(({ ended }) => ended)) return;
    this.#physicalEnd ??= this.physical.end();
    await this.#physicalEnd;
  }

  /** Ends the pool, or joins the end that is under way. */
  async #endWith(options: EndOptions): Promise<void> {
    this.ending = true;
    await Promise.all(Array.from(this.#pools.all, (pool) => pool.endWith(options)));
    this.ended = true;
  }

  #mirrorEvents(): void {
    const { pool } = this.physical;
    pool.on('connect', (client) => emit(this, 'connect', client));
    pool.on('remove', (client: TrackedClient) => {
      for (const partition of client[kSeenBy] ?? []) emit(partition, 'remove', client);
      emit(this, 'remove', client);
    });
    pool.on('error', (error, client) => this.#emitIdleError(error, client));
  }

  /** An idle connection broke; the pool has dropped it already, so nobody is the worse for it. */
  #emitIdleError(error: Error, client: TrackedClient): void {
    const home = client[kHome];
    const told = [home, this].filter((pool) => pool && pool.listenerCount('error') > 0);
    for (const pool of told) if (pool) emit(pool, 'error', error, client);
    if (told.length > 0) return;
    process.emitWarning(`an idle connection was lost and dropped: ${error.message}`, {
      code: 'WATERTIGHT_IDLE_CONNECTION_LOST',
    });
  }
}

keepContextInQuery(Pool);
overrideCounts(
  Pool,
  {
    totalCount: ({ physical }) => physical.pool.totalCount,
    idleCount: ({ physical }) => physical.idleCount,
    waitingCount: ({ partitioner }) => partitioner.waiting,
    expiredCount: ({ physical }) => physical.pool.expiredCount,
  },
  ({ physical }) => physical.clients,
);
