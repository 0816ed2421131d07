import type { PoolConnection } from 'mysql2/promise';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import type { PartitionerStats } from '../../src/partitioner.ts';
import type { PartitionStats } from '../../src/stats.ts';
import { checkEndOptions, type EndOptions } from '../shared/end.ts';
import { END_TIMEOUT_MILLIS } from './end.ts';
import { LeasedConnection } from './leased-connection.ts';
import { promiseModuleFace, type PromiseModuleFace } from './module-face.ts';
import type { PartitionPool } from './partition-pool.ts';
import type { DividedPool } from './pool.ts';
import { keepErrors } from './promise-query.ts';
import { StockPromisePool } from './stock.ts';

/** What the promise faces of a pool and of its partitions have in common. */
abstract class PromiseFace<Core extends PartitionPool | DividedPool> extends StockPromisePool {
  protected readonly core: Core;

  constructor(core: Core, promise?: PromiseConstructor) {
    super(core, promise);
    this.core = core;
  }

  /**
   * As mysql2's, within the partition and its deadline.
   * @throws `ERR_ACQUIRE_TIMEOUT`, `ERR_PARTITION_FULL`, `ERR_ACQUIRE_ABORTED`,
   * `ERR_PARTITION_CLOSED`; mysql2's own error when the server refuses the connection.
   */
  override getConnection(options?: AcquireOptions): Promise<PoolConnection> {
    return new this.Promise((resolve, reject) => {
      this.core.getConnection((error, connection) => {
        if (error) return reject(error);
        resolve(new LeasedConnection(connection, this.Promise));
      }, options);
    });
  }

  /** Runs `fn` with a connection and releases it however `fn` ends. */
  async withConnection<T>(
    fn: (connection: PoolConnection) => T | PromiseLike<T>,
    options?: AcquireOptions,
  ): Promise<T> {
    const connection = await this.getConnection(options);
    try {
      return await fn(connection);
    } finally {
      connection.release();
    }
  }

  /** Refuses who waits, awaits who holds, by default for five seconds; a second call joins. */
  override end(options: EndOptions = {}): Promise<void> {
    return new this.Promise((resolve, reject) => {
      checkEndOptions(options);
      this.core.endWith({ timeoutMillis: END_TIMEOUT_MILLIS, ...options }).then(resolve, reject);
    });
  }
}

keepErrors(PromiseFace);

/** One partition as a `Pool` of `mysql2/promise`: give it to an ORM. */
export class PromisePartitionPool extends PromiseFace<PartitionPool> {
  get name(): string {
    return this.core.name;
  }

  /** Connections that this partition would get at once now. */
  get available(): number {
    return this.core.available;
  }

  /** True when the next caller would have to wait. */
  get isFull(): boolean {
    return this.core.isFull;
  }

  /** A frozen snapshot: gauges, counters, wait and hold percentiles. */
  stats(): PartitionStats {
    return this.core.stats();
  }

  /** As `PartitionPool.driver`, for `mysql2/promise`. */
  driver(): PromiseModuleFace<PromisePartitionPool> {
    return promiseModuleFace(this, this.core);
  }
}

/** A `Pool` of `mysql2/promise` that is divided into partitions. */
export class PromiseDividedPool<Name extends string = string> extends PromiseFace<
  DividedPool<Name>
> {
  readonly #partitions = new Map<string, PromisePartitionPool>();

  /**
   * The named partition, as a pool of its own.
   * @throws `ERR_UNKNOWN_PARTITION`
   */
  partition(name: Name): PromisePartitionPool {
    const known = this.#partitions.get(name);
    if (known) return known;
    const partition = this.core.partition(name).promise(this.Promise);
    this.#partitions.set(name, partition);
    return partition;
  }

  /** A frozen snapshot of the pool and of each partition. */
  stats(): PartitionerStats {
    return this.core.stats();
  }
}
