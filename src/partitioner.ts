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
import { Ledger, type Account, type Rank } from './ledger.ts';
import { Lease } from './lease.ts';
import { Partition, type PartitionTraits } from './partition.ts';
import { Rings } from './rings.ts';
import type { PartitionStats } from './stats.ts';
import type { AcquireOptions, Waiter } from './waiter.ts';

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
 * Divides a number of permits into named partitions. The only place where a permit changes hands:
 * each is granted through `#grant` and comes back through `release` or `handOver`.
 *
 * **When to use.** On its own it guards whatever a service depends on; a driver puts it before a
 * connection pool.
 */
export class Partitioner<Name extends string = string> {
  /** Only for partitions. */
  readonly ledger: Ledger;
  readonly #partitions = new Map<string, Partition>();
  readonly #rings: Rings<Partition> = new Rings();
  readonly #clock: Clock;
  readonly #traits: PartitionTraits;
  readonly #defaults: ResolvedDefaults;
  readonly #maxIsSum: boolean;
  /** Grants whose receivers are still to be told, so that a grant within a grant does not recurse. */
  readonly #untold: Lease[] = [];
  /** How many of them have been told. */
  #told = 0;
  #telling = false;

  /** @throws `ERR_CONFIG` with all faults at once. */
  constructor(options: PartitionerOptions<Name>, internals: PartitionerInternals = {}) {
    const config = resolveConfig(options);
    this.ledger = new Ledger(config.max);
    this.#clock = internals.clock ?? systemClock;
    this.#traits = internals.traits ?? coreTraits;
    this.#defaults = config.defaults;
    this.#maxIsSum = options.max === undefined;
    for (const partition of config.partitions) this.#open(partition);
  }

  /** Capacity: permits in all. */
  get max(): number {
    return this.ledger.max;
  }

  get inUse(): number {
    return this.ledger.used;
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
    if (this.has(name)) faults.add(path, 'expected a new name; this partition exists');
    if (sum + resolved.size > max) {
      const total = `${sum} + ${resolved.size} = ${sum + resolved.size}`;
      faults.add(path, `the sizes add up to ${total}, more than max = ${max}`);
    }
    if (resolved.max > max && resolved.size <= max) {
      faults.add(`${path}.max`, `expected at most the pool's max, ${max}`, resolved.max);
    }
    faults.throwIfAny();
    this.ledger.max = max;
    const partition = this.#open(resolved);
    this.#pump(this.#clock.now());
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
    await Promise.all(Array.from(this.partitions, (partition) => partition.close()));
  }

  /** Serves everybody in line, takes nobody new; settles when the last lease is back. */
  async drain(): Promise<void> {
    await Promise.all(Array.from(this.partitions, (partition) => partition.drain()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  // What follows is called by partitions and leases.

  /** A permit for a caller at an empty line; the caller has checked `canGrant`. */
  grantTo(waiter: Waiter): void {
    this.#tell(this.grant(waiter.partition, waiter, waiter.startedAt, waiter.label));
  }

  grant(
    partition: Partition,
    waiter: Waiter | undefined,
    now: number,
    label: string | undefined,
  ): Lease {
    this.ledger.take(partition.account);
    return this.#issue(partition, waiter, now, label);
  }

  /** Takes a lease back and serves whoever is next, in the same turn (I6). */
  release(lease: Lease): void {
    const { partition } = lease;
    const now = this.#clock.now();
    this.#takeBack(lease, now);
    const waiter = this.#nextOf(partition, now);
    if (waiter) this.#leaveLine(waiter, now, undefined);
    else {
      this.ledger.give(partition.account);
      this.place(partition);
    }
    this.#pump(now);
    partition.checkIdle();
  }

  /** Like `release`, but only if the next waiter of the same partition takes the connection too. */
  handOver(lease: Lease, connection: unknown): boolean {
    lease.assertHeld();
    const { partition } = lease;
    const now = this.#clock.now();
    const waiter = this.#nextOf(partition, now);
    if (!waiter) return false;
    this.#takeBack(lease, now);
    this.#leaveLine(waiter, now, connection);
    return true;
  }

  /** Puts a partition into the ring where its waiters belong; after each change of line or use. */
  place(partition: Partition): void {
    const rank = this.#rankOf(partition);
    if (rank !== partition.rank) this.#rings.enter(partition, rank);
  }

  #open(resolved: ResolvedPartition): Partition {
    const account = this.ledger.open(resolved.size, resolved.max);
    // Names are only a promise of the type: inside, every partition is looked up by its string.
    const self = this as Partitioner;
    const partition = new Partition(self, resolved, account, this.#clock, this.#traits);
    this.#partitions.set(resolved.name, partition);
    return partition;
  }

  readonly #canGrant = (account: Account): boolean => this.ledger.canGrant(account);

  #rankOf({ line, account }: Partition): Rank | undefined {
    return line.length > 0 ? this.ledger.rank(account) : undefined;
  }

  #takeBack(lease: Lease, now: number): void {
    lease.spend();
    lease.partition.holders.remove(lease);
    lease.partition.recorder.hold.record(now - lease.grantedAt);
  }

  /**
   * The waiter of the same partition to whom a permit goes without being free in between. Asked
   * only after the expired were told: what they then do may bring others with a better claim.
   */
  #nextOf(partition: Partition, now: number): Waiter | undefined {
    if (partition.line.length === 0) return undefined;
    const waiter = this.#firstInLine(partition, now);
    return waiter && this.#isOwn(partition) ? waiter : undefined;
  }

  /** True when a permit coming back to the partition is its own, or nobody else wants it. */
  #isOwn(partition: Partition): boolean {
    return this.ledger.keepsNext(partition.account) || this.#rings.hasOnly(partition);
  }

  /** Serves the rings until nobody who waits can be granted (I5). */
  #pump(now: number): void {
    for (
      let partition = this.#rings.next(this.#canGrant);
      partition;
      partition = this.#rings.next(this.#canGrant)
    ) {
      const waiter = this.#firstInLine(partition, now);
      // The expired were told meanwhile, and may have taken the permit by another call.
      if (!waiter || !this.#canGrant(partition.account)) continue;
      this.ledger.take(partition.account);
      this.#leaveLine(waiter, now, undefined);
    }
  }

  /** The first waiter whose deadline has not passed; those before it are told that theirs has. */
  #firstInLine(partition: Partition, now: number): Waiter | undefined {
    let first = partition.line.first;
    while (first && partition.expireIfDue(first, now)) first = partition.line.first;
    return first;
  }

  #leaveLine(waiter: Waiter, now: number, connection: unknown): void {
    const { partition } = waiter;
    partition.line.remove(waiter);
    this.#rings.enter(partition, this.#rankOf(partition));
    const lease = this.#issue(partition, waiter, now, waiter.label);
    lease.connection = connection;
    this.#tell(lease);
  }

  #issue(
    partition: Partition,
    waiter: Waiter | undefined,
    now: number,
    label: string | undefined,
  ): Lease {
    if (waiter) waiter.state = 'connecting';
    const lease = new Lease(partition, now, waiter, label);
    partition.holders.add(lease);
    return lease;
  }

  #tell(lease: Lease): void {
    this.#untold.push(lease);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let next = this.#nextUntold(); next; next = this.#nextUntold()) {
        next.waiter?.receiver.granted(next);
      }
    } finally {
      this.#telling = false;
    }
  }

  // Not shifted one by one: each shift of a long array costs as much as the array is long.
  #nextUntold(): Lease | undefined {
    const next = this.#untold[this.#told++];
    if (this.#told >= this.#untold.length) {
      this.#untold.length = 0;
      this.#told = 0;
    }
    return next;
  }
}
