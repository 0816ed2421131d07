import type { EventEmitter } from 'node:events';
import pg from 'pg';
import type { PoolClient } from 'pg';
import type { Partition } from '../../src/partition.ts';
import type { PartitionStats } from '../../src/stats.ts';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import { ClientCheckout, handTo, type ConnectCallback, type CheckoutHost } from './checkout.ts';
import { kHome, kLease, kSeenBy, type CheckedOut, type TrackedClient } from './client.ts';
import { overrideCounts } from './counts.ts';
import { emit } from '../shared/emit.ts';
import { endPartition, type EndOptions } from '../shared/end.ts';
import { endOnce } from './end.ts';
import { moduleFace, type ModuleFace } from './module-face.ts';
import type { Physical } from './physical.ts';
import { keepContextInQuery } from './query.ts';

/** The pool that a partition belongs to: mirrors its events. */
export interface Owner extends EventEmitter {
  readonly physical: Physical;
  readonly resetOnHop: boolean;
  /** A partition has ended; the last one ends the physical pool. */
  partitionEnded(): Promise<void>;
}

/**
 * One partition as a `pg.Pool`: give it to an ORM. It has the pool's own clients and events; its
 * counts are those of the partition.
 */
export class PartitionPool extends pg.Pool implements CheckoutHost {
  readonly name: string;
  readonly #owner: Owner;
  /** Only for this driver. */
  readonly physical: Physical;
  /** Only for this driver. */
  readonly partition: Partition;
  declare ending: boolean;
  declare ended: boolean;
  declare readonly Promise: PromiseConstructor;
  /** Set for the one `connect` that `query` makes: its callback is ours, and may come at once. */
  inQuery = false;
  /** Permits in use for connections that are being closed: pg does not count those. */
  closing = 0;
  /** Aborted some time after `end()`: clients that are still being cleaned up are then closed. */
  readonly hurry: AbortController = new AbortController();
  #ending: Promise<void> | undefined = undefined;

  constructor(owner: Owner, partition: Partition) {
    // The object itself: pg hides the password in it from enumeration.
    super(owner.physical.pool.options);
    this.name = partition.name;
    this.#owner = owner;
    this.partition = partition;
    this.physical = owner.physical;
    this.options.max = partition.max;
    this.options.connectionTimeoutMillis = partition.options.acquireTimeoutMillis;
  }

  /**
   * As `pg.Pool.connect`, within this partition and its deadline.
   * @throws `ERR_ACQUIRE_TIMEOUT`, `ERR_PARTITION_FULL`, `ERR_ACQUIRE_ABORTED`,
   * `ERR_PARTITION_CLOSED`; pg's own error when the server refuses the connection.
   */
  override connect(options?: AcquireOptions): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(given?: AcquireOptions | ConnectCallback): Promise<PoolClient> | void {
    if (typeof given === 'function') return this.#connectCallback(given);
    const atHand = given === undefined ? this.#checkOutAtOnce() : undefined;
    if (atHand) return this.Promise.resolve(atHand);
    return new this.Promise((resolve, reject) => {
      const checkout = new ClientCheckout(this, (error, client) => {
        if (client) resolve(client);
        else reject(error);
      });
      this.partition.enter(checkout, given);
      checkout.returned = true;
      // A promise continues in its own context; only a dial in another's turn needs it kept.
      if (this.partition.waiting > 0) checkout.captureContext();
    });
  }

  /** Runs `fn` with a client and releases it however `fn` ends. */
  async withConnection<T>(
    fn: (client: PoolClient) => T | PromiseLike<T>,
    options?: AcquireOptions,
  ): Promise<T> {
    const client: TrackedClient = await this.connect(options);
    const lease = client[kLease];
    try {
      return await fn(client);
    } finally {
      lease?.dispose();
    }
  }

  /**
   * Ends this partition only: waiters are refused, connections that are held are awaited. The physical
   * pool ends with its last partition.
   */
  override end(options?: EndOptions): Promise<void>;
  override end(callback: (error?: Error) => void): void;
  override end(given?: EndOptions | ((error?: Error) => void)): Promise<void> | void {
    return endOnce(this, given, (options) => this.endWith(options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endWith({});
  }

  /** Ends the partition, or joins the end that is under way. */
  endWith(options: EndOptions): Promise<void> {
    this.ending = true;
    this.#ending ??= this.#end(options);
    return this.#ending;
  }

  /**
   * pg as a module whose pools are this partition, for libraries that make their pool themselves. Each
   * of its clients holds a permit from `connect` until its connection has ended.
   */
  driver(): ModuleFace {
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

  /**
   * Whether a client may skip the physical pool between two leases. Not while that has something
   * to do at each release: counting uses, retiring old clients, ending.
   */
  get mayHandOver(): boolean {
    return this.physical.allowsHandOver;
  }

  mustReset(client: TrackedClient): boolean {
    const home = client[kHome];
    return this.#owner.resetOnHop && home !== undefined && home !== this;
  }

  emitAcquire(client: TrackedClient): void {
    if (client[kHome] !== this) this.#welcome(client);
    // Asked here too, as below: to gather the arguments costs more than to find nobody listens.
    if (this.listenerCount('acquire') > 0) emit(this, 'acquire', client);
    if (this.#owner.listenerCount('acquire') > 0) emit(this.#owner, 'acquire', client);
  }

  emitRelease(destroy: Error | boolean | undefined, client: TrackedClient): void {
    if (this.listenerCount('release') > 0) emit(this, 'release', destroy, client);
    if (this.#owner.listenerCount('release') > 0) emit(this.#owner, 'release', destroy, client);
  }

  /** Libraries set a session up, or listen for its errors, when their pool emits `connect`. */
  #welcome(client: TrackedClient): void {
    client[kHome] = this;
    const seenBy = (client[kSeenBy] ??= []);
    if (seenBy.includes(this)) return;
    seenBy.push(this);
    emit(this, 'connect', client);
  }

  #connectCallback(callback: ConnectCallback): void {
    const inQuery = this.inQuery;
    this.inQuery = false;
    const client = this.#checkOutAtOnce();
    if (client) {
      // The callback of a user never comes before the call has returned.
      const tell = (): void => callback(undefined, client, client.release);
      return inQuery ? tell() : process.nextTick(tell);
    }
    const checkout = new ClientCheckout(this, callback);
    checkout.captureContext();
    this.partition.enter(checkout, undefined);
    checkout.returned = true;
  }

  /** Permit and client are both at hand: no waiter, no deadline, no detour through the pool. */
  #checkOutAtOnce(): TrackedClient | undefined {
    if (!this.partition.mayGrant) return undefined;
    const checkedOut = this.physical.takeWarm();
    if (!checkedOut) return undefined;
    const lease = this.mustReset(checkedOut.client) ? undefined : this.partition.tryAcquire();
    if (lease) return handTo(this, lease, checkedOut);
    this.physical.keepWarm(checkedOut);
    return undefined;
  }

  async #end(options: EndOptions): Promise<void> {
    await endPartition(this.partition, options, {
      hurry: this.hurry,
      takeBack: (connection, reason) => {
        (connection as CheckedOut | undefined)?.client[kLease]?.takeBack(reason);
      },
    });
    this.ended = true;
    await this.#owner.partitionEnded();
  }
}

keepContextInQuery(PartitionPool);
overrideCounts(
  PartitionPool,
  {
    totalCount: (pool) => pool.partition.inUse - pool.closing + pool.idleCount,
    /** Idle connections of the physical pool that this partition could use. */
    idleCount: ({ physical, partition }) =>
      Math.max(0, Math.min(physical.idleCount, partition.max - partition.inUse)),
    waitingCount: ({ partition }) => partition.waiting,
    expiredCount: ({ physical }) => physical.pool.expiredCount,
  },
  ({ physical }) => physical.clients,
);
