import type { EventEmitter } from 'node:events';
import type { PoolConnection } from 'mysql2';
import type { PoolConnection as PromisePoolConnection } from 'mysql2/promise';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import type { Partition } from '../../src/partition.ts';
import type { PartitionStats } from '../../src/stats.ts';
import { emit } from '../shared/emit.ts';
import { endPartition, type EndOptions } from '../shared/end.ts';
import {
  ConnectionCheckout,
  handTo,
  type CheckoutHost,
  type ConnectionCallback,
} from './checkout.ts';
import { kFresh, kHome, kLease, kSeenBy, type TrackedConnection } from './connection.ts';
import { endWithCallback, type EndCallback } from './end.ts';
import { moduleFace, type ModuleFace } from './module-face.ts';
import type { Physical } from './physical.ts';
import { PromisePartitionPool } from './promise-pool.ts';
import { callBackWell } from './query.ts';
import { releaseAny, withConnection } from './release.ts';
import { setUp } from './set-up.ts';
import { StockPool } from './stock.ts';
import { overrideViews } from './views.ts';

/** The pool that a partition belongs to: mirrors its events. */
export interface Owner extends EventEmitter {
  readonly physical: Physical;
  /** A connection may go from one partition to another, and is reset then. */
  readonly mayHop: boolean;
  /** A partition has ended; the last one ends the physical pool. */
  partitionEnded(): Promise<void>;
}

/**
 * One partition as a `mysql2.Pool`: give it to an ORM. It has the pool's own connections and
 * events.
 */
export class PartitionPool extends StockPool implements CheckoutHost {
  readonly name: string;
  /** Only for this driver. */
  readonly physical: Physical;
  /** Only for this driver. */
  readonly partition: Partition;
  /** Aborted some time after `end()`: connections that are still being cleaned up are then closed. */
  readonly hurry: AbortController = new AbortController();
  declare _closed: boolean;
  readonly #owner: Owner;
  #ending: Promise<void> | undefined = undefined;

  constructor(owner: Owner, partition: Partition) {
    const { config } = owner.physical;
    const { pool } = config.connectionConfig;
    // What is changed in the pool's configuration, a new password for instance, counts here too.
    const connectionLimit = { value: partition.max, writable: true, enumerable: true };
    super({ config: Object.create(config, { connectionLimit }) });
    config.connectionConfig.pool = pool;
    this.name = partition.name;
    this.#owner = owner;
    this.partition = partition;
    this.physical = owner.physical;
  }

  /**
   * As `mysql2.Pool.getConnection`, within this partition and its deadline. The callback gets
   * `ERR_ACQUIRE_TIMEOUT`, `ERR_PARTITION_FULL`, `ERR_ACQUIRE_ABORTED`, `ERR_PARTITION_CLOSED`, or
   * mysql2's own error when the server refuses the connection.
   * @throws `ERR_CONFIG` for options that make no sense.
   */
  override getConnection(callback: ConnectionCallback, options?: AcquireOptions): void {
    const atHand = options === undefined ? this.#checkOutAtOnce() : undefined;
    if (atHand) {
      process.nextTick(callback, null, atHand);
      return;
    }
    const checkout = new ConnectionCheckout(this, callback);
    this.partition.enter(checkout, options);
    checkout.returned = true;
    if (checkout.state !== 'waiting') return;
    checkout.captureContext();
    emit(this, 'enqueue');
    emit(this.#owner, 'enqueue');
  }

  /** Runs `fn` with a connection and releases it however `fn` ends. */
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

  /**
   * Ends this partition only: waiters are refused, holders are awaited for `timeoutMillis`, by
   * default five seconds. The physical pool ends with its last partition.
   */
  override end(callback?: EndCallback): void;
  override end(options: EndOptions, callback?: EndCallback): void;
  override end(given?: EndOptions | EndCallback, callback?: EndCallback): void {
    endWithCallback(given, callback, (options) => this.endWith(options));
  }

  override promise(promise?: PromiseConstructor): PromisePartitionPool {
    return new PromisePartitionPool(this, promise);
  }

  /**
   * mysql2 as a module whose pools are this partition, for libraries that make their pool
   * themselves. A connection of its `createConnection` holds a permit until it has ended.
   */
  driver(): ModuleFace<PartitionPool> {
    return moduleFace(this);
  }

  /** Connections that this partition would get at once now. */
  get available(): number {
    return this.partition.available;
  }

  /** True when the next caller would have to wait. */
  get isFull(): boolean {
    return this.partition.isFull;
  }

  /** A frozen snapshot: gauges, counters, wait and hold percentiles. */
  stats(): PartitionStats {
    return this.partition.stats();
  }

  // What follows is called by this driver only.

  /** Ends the partition, or joins the end that is under way. */
  endWith(options: EndOptions): Promise<void> {
    this._closed = true;
    this.#ending ??= this.#end(options);
    return this.#ending;
  }

  get resetOnRelease(): boolean {
    return this.physical.config.resetOnRelease === true;
  }

  get mayHop(): boolean {
    return this.#owner.mayHop;
  }

  mustReset(connection: TrackedConnection): boolean {
    const home = connection[kHome];
    const hops = home !== undefined && home !== this;
    return hops && this.mayHop && !connection[kFresh];
  }

  emitAcquire(connection: TrackedConnection): void {
    if (connection[kHome] !== this || connection[kFresh]) this.#welcome(connection);
    this.#emitOf('acquire', connection);
  }

  emitRelease(connection: TrackedConnection): void {
    this.#emitOf('release', connection);
  }

  /** Permit and connection are both at hand: no waiter, no deadline. */
  #checkOutAtOnce(): PoolConnection | undefined {
    if (!this.partition.mayGrant) return undefined;
    const connection = this.physical.takeIdle(this);
    if (!connection) return undefined;
    const lease = this.mustReset(connection) ? undefined : this.partition.tryAcquire();
    if (!lease) {
      this.physical.checkin(connection);
      return undefined;
    }
    lease.connection = connection;
    return handTo(this, lease, connection);
  }

  /** Libraries set a session up when their pool emits `connection`; a reset undoes it. */
  #welcome(connection: TrackedConnection): void {
    connection[kHome] = this;
    const seenBy = (connection[kSeenBy] ??= []);
    const seen = seenBy.includes(this);
    const fresh = connection[kFresh] === true;
    if (seen && !fresh) return;
    connection[kFresh] = false;
    if (!seen) seenBy.push(this);
    if (fresh) setUp(this.#owner, connection);
    setUp(this, connection);
  }

  #emitOf(event: string, connection: TrackedConnection): void {
    // Asked here too: to gather the arguments costs more than to find that nobody listens.
    if (this.listenerCount(event) > 0) emit(this, event, connection);
    if (this.#owner.listenerCount(event) > 0) emit(this.#owner, event, connection);
  }

  async #end(options: EndOptions): Promise<void> {
    await endPartition(this.partition, options, {
      hurry: this.hurry,
      takeBack: (connection, reason) => {
        (connection as TrackedConnection | undefined)?.[kLease]?.takeBack(reason);
      },
    });
    await this.#owner.partitionEnded();
  }
}

callBackWell(PartitionPool);
overrideViews(PartitionPool, ({ partition }) => partition.waiting);
