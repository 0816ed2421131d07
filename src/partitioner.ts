import type { AcquireOptions } from './acquire-options.ts';
import { systemClock, type Clock } from './clock.ts';
import {
  Faults,
  resolveConfig,
  resolvePartition,
  type PartitionDefaults,
  type PartitionOptions,
  type PartitionsConfig,
  type ResolvedDefaults,
  type ResolvedPartition,
} from './config.ts';
import { UnknownPartitionError } from './errors.ts';
import { Ledger } from './ledger.ts';
import type { Lease } from './lease.ts';
import { Partition } from './partition.ts';
import { Permits } from './permits.ts';
import type { PartitionTraits } from './refusals.ts';
import type { PartitionStats } from './stats.ts';

export interface PartitionerOptions<Name extends string = string> extends PartitionDefaults {
  /**
   * Capacity: permits in all.
   * @defaultValue the sum of the sizes; it then grows with `add`
   */
  max?: number | undefined;
  partitions: PartitionsConfig<Name>;
}

/** What a driver or a test gives besides the options. */
export interface PartitionerInternals {
  readonly clock?: Clock;
  readonly traits?: PartitionTraits;
}

/** A frozen snapshot. */
export interface PartitionerStats {
  readonly max: number;
  readonly inUse: number;
  readonly waiting: number;
  readonly partitions: Readonly<Record<string, PartitionStats>>;
}

const coreTraits: PartitionTraits = {
  wording: {
    timeout: 'timeout exceeded when trying to acquire',
    full: 'the partition is full',
    aborted: 'the acquire was aborted',
    closed: 'the partition is closed',
  },
  describe: () => ({}),
};

/**
 * Divides a number of permits into named partitions.
 *
 * **When to use.** On its own it guards whatever a service depends on; a driver puts it before a
 * connection pool.
 */
export class Partitioner<Name extends string = string> {
  readonly #ledger: Ledger;
  readonly #permits: Permits;
  readonly #partitions = new Map<string, Partition>();
  readonly #clock: Clock;
  readonly #traits: PartitionTraits;
  readonly #defaults: ResolvedDefaults;
  readonly #maxIsSum: boolean;
  #closed = false;

  /** @throws `ERR_CONFIG` with all faults at once. */
  constructor(options: PartitionerOptions<Name>, internals: PartitionerInternals = {}) {
    const config = resolveConfig(options);
    this.#clock = internals.clock ?? systemClock;
    this.#ledger = new Ledger(config.max);
    this.#permits = new Permits(this.#ledger, this.#clock);
    this.#traits = internals.traits ?? coreTraits;
    this.#defaults = config.defaults;
    this.#maxIsSum = options.max === undefined;
    for (const partition of config.partitions) this.#open(partition);
  }

  /** Capacity: permits in all. */
  get max(): number {
    return this.#ledger.max;
  }

  get inUse(): number {
    return this.#ledger.used;
  }

  get waiting(): number {
    return Array.from(this.partitions).reduce((total, { waiting }) => total + waiting, 0);
  }

  /** In the order of the configuration. */
  get partitions(): Iterable<Partition> {
    return this.#partitions.values();
  }

  get names(): string[] {
    return [...this.#partitions.keys()];
  }

  has(name: string): boolean {
    return this.#partitions.has(name);
  }

  /** @throws `ERR_UNKNOWN_PARTITION` */
  partition(name: Name): Partition {
    const partition = this.#partitions.get(name);
    if (!partition) throw new UnknownPartitionError(name, this.names);
    return partition;
  }

  /**
   * Adds a partition while the others work. With a fixed `max`, its permits may still be in use as
   * unreserved ones; it then gets them as they come back, before anybody else.
   * @throws `ERR_CONFIG` when the name is taken or the sizes no longer fit into `max`.
   */
  add(name: string, options: number | PartitionOptions): Partition {
    const faults = new Faults();
    const resolved = resolvePartition(name, options, this.#defaults, faults);
    const sum = Array.from(this.partitions).reduce((total, { size }) => total + size, 0);
    const max = this.#maxIsSum ? sum + resolved.size : this.max;
    const path = `partitions.${name}`;
    if (this.#closed) faults.add(path, 'expected an open partitioner; this one is closed');
    if (this.has(name)) faults.add(path, 'expected a new name; this partition exists');
    if (sum + resolved.size > max) {
      const total = `${sum} + ${resolved.size} = ${sum + resolved.size}`;
      faults.add(path, `the sizes add up to ${total}, more than max = ${max}`);
    }
    if (resolved.max > max && resolved.size <= max) {
      faults.add(`${path}.max`, `expected at most the pool's max, ${max}`, resolved.max);
    }
    faults.throwIfAny();
    this.#ledger.max = max;
    const partition = this.#open(resolved);
    this.#permits.serve();
    return partition;
  }

  /** `partition(name).acquire(options)`; an unknown name rejects. */
  async acquire(name: Name, options?: AcquireOptions): Promise<Lease> {
    return this.partition(name).acquire(options);
  }

  /** `partition(name).tryAcquire(options)` */
  tryAcquire(name: Name, options?: Pick<AcquireOptions, 'label'>): Lease | undefined {
    return this.partition(name).tryAcquire(options);
  }

  /**
   * Waits for a permit of the partition, runs `fn`, always gives the permit back.
   * @param fn gets the caller's signal, or one that never aborts
   * @returns what `fn` returns; rejects with what it throws, or as `Partition.acquire` does
   */
  async run<T>(
    name: Name,
    fn: (signal: AbortSignal) => T | PromiseLike<T>,
    options?: AcquireOptions,
  ): Promise<T> {
    return this.partition(name).run(fn, options);
  }

  stats(): PartitionerStats {
    const all = Array.from(this.partitions);
    return Object.freeze({
      max: this.max,
      inUse: this.inUse,
      waiting: this.waiting,
      partitions: Object.freeze(Object.fromEntries(all.map((one) => [one.name, one.stats()]))),
    });
  }

  /** Closes every partition: waiters are refused; settles when the last lease is back. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.partitions, (partition) => partition.close()));
  }

  /** Serves everybody in line, takes nobody new; settles when the last lease is back. */
  async drain(): Promise<void> {
    this.#closed = true;
    await Promise.all(Array.from(this.partitions, (partition) => partition.drain()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(resolved: ResolvedPartition): Partition {
    const account = this.#ledger.open(resolved.size, resolved.max);
    const partition = new Partition(this.#permits, resolved, account, this.#clock, this.#traits);
    this.#partitions.set(resolved.name, partition);
    return partition;
  }
}
