import { listen, stopListening } from './abort.ts';
import { checkAcquireOptions, type AcquireOptions } from './acquire-options.ts';
import type { Clock } from './clock.ts';
import { DEFAULT_ACQUIRE_TIMEOUT_MILLIS, type ResolvedPartition } from './config.ts';
import { Deadlines } from './deadlines.ts';
import type { Holder } from './errors.ts';
import { Holders, type Holding } from './holders.ts';
import type { Account, Rank } from './ledger.ts';
import type { Lease } from './lease.ts';
import { Line } from './line.ts';
import type { Claimant, Permits } from './permits.ts';
import { Recorder, type PartitionStats } from './stats.ts';
import { Refusals, type PartitionTraits } from './refusals.ts';
import { withResolvers, type Resolvers } from './with-resolvers.ts';
import { labelOf, PromiseWaiter, type Waiter } from './waiter.ts';

/** open: serves. draining: serves its line, takes no new callers. closed: serves nobody. */
type PartitionState = 'open' | 'draining' | 'closed';

/**
 * One named partition: its line, its deadlines, its holders and its figures. It keeps the callers;
 * permits change hands only in the partitioner.
 */
export class Partition implements Claimant {
  readonly name: string;
  readonly options: ResolvedPartition;

  /** Only for the partitioner, up to `rank`. */
  readonly account: Account;
  readonly line: Line = new Line();
  readonly holders: Holders = new Holders(this);
  readonly recorder: Recorder = new Recorder();
  rank: Rank | undefined = undefined;

  readonly #permits: Permits;
  readonly #clock: Clock;
  readonly #refusals: Refusals;
  readonly #deadlines: Deadlines;
  /** The deadline of a call that will not stand in line: its permit came at once, a connect may not. */
  readonly #connectMillis: number;
  #state: PartitionState = 'open';
  #idle: Resolvers<void> | undefined = undefined;

  /** Made by `Partitioner`. */
  constructor(
    permits: Permits,
    options: ResolvedPartition,
    account: Account,
    clock: Clock,
    traits: PartitionTraits,
  ) {
    this.name = options.name;
    this.#permits = permits;
    this.options = options;
    this.account = account;
    this.#clock = clock;
    this.#refusals = new Refusals(this, permits.ledger, clock, traits);
    this.#connectMillis = options.acquireTimeoutMillis || DEFAULT_ACQUIRE_TIMEOUT_MILLIS;
    this.#deadlines = new Deadlines(clock, this.#connectMillis, (waiter, now) =>
      this.#expire(waiter, now),
    );
  }

  get size(): number {
    return this.account.size;
  }

  get max(): number {
    return this.account.max;
  }

  get inUse(): number {
    return this.account.used;
  }

  get waiting(): number {
    return this.line.length;
  }

  /** Calls that would be granted at once now; reading it reserves nothing. */
  get available(): number {
    return this.mayGrant ? this.#permits.ledger.available(this.account) : 0;
  }

  /** True when a call would be granted at once: cheaper than asking how many would. */
  get mayGrant(): boolean {
    return (
      this.#state === 'open' &&
      this.line.length === 0 &&
      this.#permits.ledger.canGrant(this.account)
    );
  }

  /** True when the next caller would have to wait. */
  get isFull(): boolean {
    return !this.mayGrant;
  }

  /** True as soon as it takes no new callers, also while it still serves its line. */
  get closed(): boolean {
    return this.#state !== 'open';
  }

  /**
   * Waits for a permit.
   * @throws `ERR_ACQUIRE_TIMEOUT`, `ERR_PARTITION_FULL`, `ERR_ACQUIRE_ABORTED`,
   * `ERR_PARTITION_CLOSED`; `ERR_CONFIG` for options that make no sense.
   */
  acquire(options?: AcquireOptions): Promise<Lease> {
    if (options) {
      return new Promise((resolve) => this.enter(new PromiseWaiter(resolve), options));
    }
    const lease = this.#tryGrant(undefined);
    if (lease) return Promise.resolve(lease);
    const { promise, resolve } = withResolvers<Lease>();
    this.enter(new PromiseWaiter(resolve), undefined);
    return promise;
  }

  /** A lease at once, or undefined; never waits and never jumps the line. */
  tryAcquire(options?: Pick<AcquireOptions, 'label'>): Lease | undefined {
    const lease = this.#tryGrant(options);
    if (!lease) {
      this.recorder.requested++;
      if (this.closed) this.recorder.closed++;
      else this.recorder.refused++;
    }
    return lease;
  }

  /**
   * Runs `fn` while holding a permit and gives it back however `fn` ends.
   * @returns what `fn` returns; throws what it throws, or what `acquire` throws.
   */
  async run<T>(
    fn: (signal: AbortSignal) => T | PromiseLike<T>,
    options?: AcquireOptions,
  ): Promise<T> {
    const startedAt = this.#clock.turn();
    const lease = await this.acquire(options);
    try {
      const signal = options?.signal;
      // An abort may come between the grant and this turn; who was cancelled does not run.
      if (signal?.aborted) throw this.#refusals.abortedAfterGrant(startedAt, signal.reason);
      return await fn(signal ?? new AbortController().signal);
    } finally {
      lease.release();
    }
  }

  /**
   * For drivers: asks for a permit. The waiter is told exactly one outcome, perhaps before this
   * returns.
   * @throws `ERR_CONFIG` for options that make no sense.
   */
  enter(waiter: Waiter, options: AcquireOptions | undefined): void {
    const patience = this.#patienceOf(options);
    // First of all, since who is told may do anything, such as abort this very call.
    if (this.line.length >= this.options.maxWaiting) this.#deadlines.expireDue(this.#clock.now());
    waiter.begin(options, this.#clock.now(), patience || this.#connectMillis);
    this.recorder.requested++;
    if (this.#state !== 'open') return this.#reject(waiter, this.#refusals.closed(waiter));
    const signal = options?.signal;
    if (signal?.aborted) return this.#abort(waiter, signal);
    const atOnce = this.mayGrant;
    if (!atOnce && (patience === 0 || this.line.length >= this.options.maxWaiting)) {
      return this.#reject(waiter, this.#refusals.full(waiter));
    }
    this.#deadlines.arm(waiter);
    if (signal) listen(waiter, signal, () => this.#abort(waiter, signal));
    if (atOnce) this.#permits.grantTo(this, waiter);
    else this.#enqueue(waiter);
  }

  /** A frozen snapshot of gauges, counters and percentiles. */
  stats(): PartitionStats {
    const { size, max, inUse, waiting, available } = this;
    const first = this.line.first;
    const oldestWaitMillis = first ? this.#clock.now() - first.startedAt : 0;
    const gauges = { size, max, inUse, waiting, available, oldestWaitMillis };
    return this.recorder.snapshot(this.name, gauges);
  }

  /**
   * Refuses everybody who waits or comes; leases already given are finished by their holders.
   * @returns settles when the last lease is back.
   */
  close(): Promise<void> {
    this.#state = 'closed';
    for (let first = this.line.first; first; first = this.line.first) {
      this.#reject(first, this.#refusals.closed(first));
    }
    return this.#whenIdle();
  }

  /**
   * Takes no new callers, serves those in line.
   * @returns settles when the last lease is back.
   */
  drain(): Promise<void> {
    if (this.#state === 'open') this.#state = 'draining';
    return this.#whenIdle();
  }

  /** Everybody who holds a lease now, longest first. */
  describeHolders(): Holder[] {
    return this.#refusals.describeHolders(this.#clock.now(), Infinity);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  // What follows is called by leases and by the partitioner.

  release(holding: Holding): void {
    this.#permits.release(this, holding);
  }

  handOver(holding: Holding): boolean {
    return this.#permits.handOver(this, holding);
  }

  leaveLine(waiter: Waiter): void {
    this.line.remove(waiter);
    if (this.line.length === 0) this.#deadlines.hold(false);
  }

  /** True when the deadline passed while the timer was late, as after a stall of the event loop. */
  expireIfDue(waiter: Waiter, now: number): boolean {
    if (!waiter.isDue(now)) return false;
    this.#expire(waiter, now);
    return true;
  }

  /** False when the caller is gone or its deadline has passed. */
  settleDelivered(waiter: Waiter, now: number = this.#clock.now()): boolean {
    if (waiter.state === 'settled') return false;
    if (this.expireIfDue(waiter, now)) return false;
    this.#settle(waiter);
    this.recorder.granted++;
    this.recorder.wait.record(now - waiter.startedAt);
    return true;
  }

  settleFailed(waiter: Waiter, error: Error): void {
    if (waiter.state === 'settled') return;
    this.recorder.failed++;
    this.#reject(waiter, error);
  }

  checkIdle(): void {
    if (this.#state === 'open' || this.account.used > 0 || this.line.length > 0) return;
    this.#deadlines.stop();
    this.#idle?.resolve();
  }

  /** Milliseconds the call is willing to stand in line. */
  #patienceOf(options: AcquireOptions | undefined): number {
    if (!options) return this.options.acquireTimeoutMillis;
    checkAcquireOptions(options);
    return options.acquireTimeoutMillis ?? this.options.acquireTimeoutMillis;
  }

  #tryGrant(options: { label?: string | undefined } | undefined): Lease | undefined {
    if (this.#state !== 'open' || this.line.length > 0) return undefined;
    const lease = this.#permits.tryGrant(this, labelOf(options));
    if (lease) this.recorder.grantedAtOnce++;
    return lease;
  }

  #enqueue(waiter: Waiter): void {
    waiter.state = 'waiting';
    this.line.push(waiter);
    if (this.line.length > 1) return;
    this.#deadlines.hold(true);
    this.#permits.place(this);
  }

  #abort(waiter: Waiter, { reason }: AbortSignal): void {
    this.#reject(waiter, this.#refusals.aborted(waiter, reason));
  }

  #expire(waiter: Waiter, now: number): void {
    this.#reject(waiter, this.#refusals.timedOut(waiter, now));
  }

  /** Takes a caller out of everything it is in; its permit, if it has one, stays where it is. */
  #reject(waiter: Waiter, error: Error): void {
    if (waiter.state === 'waiting') {
      this.leaveLine(waiter);
      this.#permits.place(this);
    }
    this.#settle(waiter);
    waiter.rejected(error);
  }

  #settle(waiter: Waiter): void {
    waiter.state = 'settled';
    this.#deadlines.disarm(waiter);
    stopListening(waiter);
    if (this.#state !== 'open') this.checkIdle();
  }

  #whenIdle(): Promise<void> {
    this.#idle ??= withResolvers();
    const { promise } = this.#idle;
    this.checkIdle();
    return promise;
  }
}
