import type { Clock } from './clock.ts';
import { DEFAULT_ACQUIRE_TIMEOUT_MILLIS, Faults, type ResolvedPartition } from './config.ts';
import { Deadlines } from './deadlines.ts';
import {
  AcquireAbortedError,
  AcquireTimeoutError,
  PartitionClosedError,
  PartitionFullError,
  type AcquireDetails,
} from './errors.ts';
import { acquireDetails, describeHolder } from './details.ts';
import { Holders, type Holder } from './holders.ts';
import type { Account, Rank } from './ledger.ts';
import type { Lease } from './lease.ts';
import { Line } from './line.ts';
import type { Partitioner } from './partitioner.ts';
import { Recorder, type PartitionStats } from './stats.ts';
import { withResolvers, type Resolvers } from './with-resolvers.ts';
import { labelOf, Waiter, type AcquireOptions, type Receiver } from './waiter.ts';

/** open: serves. draining: serves its line, takes no new callers. closed: serves nobody. */
type PartitionState = 'open' | 'draining' | 'closed';

/** The first words of each error: a driver uses its own, since people match on them. */
export interface Wording {
  readonly timeout: string;
  readonly full: string;
  readonly aborted: string;
  readonly closed: string;
}

/** What a driver tells the partitions it makes. */
export interface PartitionTraits {
  readonly wording: Wording;
  /** What the driver knows of a held connection; shown in errors, so no secrets. */
  describe(lease: Lease): Readonly<Record<string, unknown>>;
}

/**
 * One named partition: its line, its deadlines, its holders and its figures. It keeps the callers;
 * permits change hands only in the partitioner.
 */
export class Partition {
  readonly name: string;
  readonly partitioner: Partitioner;
  readonly options: ResolvedPartition;

  /** Only for the partitioner. */
  readonly account: Account;
  readonly line: Line = new Line();
  readonly holders: Holders = new Holders();
  readonly recorder: Recorder = new Recorder();
  /** Which ring of the partitioner this partition waits in; undefined when in none. */
  rank: Rank | undefined = undefined;

  readonly #clock: Clock;
  readonly #traits: PartitionTraits;
  readonly #deadlines: Deadlines;
  /** The deadline of a call that will not stand in line: its permit came at once, a connect may not. */
  readonly #connectMillis: number;
  #state: PartitionState = 'open';
  #idle: Resolvers | undefined = undefined;

  /** Made by `Partitioner`. */
  constructor(
    partitioner: Partitioner,
    options: ResolvedPartition,
    account: Account,
    clock: Clock,
    traits: PartitionTraits,
  ) {
    this.name = options.name;
    this.partitioner = partitioner;
    this.options = options;
    this.account = account;
    this.#clock = clock;
    this.#traits = traits;
    this.#connectMillis = options.acquireTimeoutMillis || DEFAULT_ACQUIRE_TIMEOUT_MILLIS;
    this.#deadlines = new Deadlines(clock, this.#connectMillis, (waiter) => this.#expire(waiter));
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
    return this.#state === 'open' && this.line.length === 0
      ? this.partitioner.ledger.available(this.account)
      : 0;
  }

  /** True when the next caller would have to wait. */
  get isFull(): boolean {
    return this.available === 0;
  }

  get closed(): boolean {
    return this.#state !== 'open';
  }

  /**
   * Waits for a permit.
   * @throws `ERR_ACQUIRE_TIMEOUT`, `ERR_PARTITION_FULL`, `ERR_ACQUIRE_ABORTED`,
   * `ERR_PARTITION_CLOSED`; `ERR_CONFIG` for options that make no sense.
   */
  acquire(options?: AcquireOptions): Promise<Lease> {
    return new Promise((resolve, reject) => {
      this.request(options, {
        granted: (lease) => {
          // Gone when it was aborted, or its deadline passed, between the grant and this.
          if (lease.deliver()) resolve(lease);
          else lease.release();
        },
        rejected: reject,
      });
    });
  }

  /** A lease at once, or undefined; never waits and never jumps the line. */
  tryAcquire(options?: Pick<AcquireOptions, 'label'>): Lease | undefined {
    this.recorder.requested++;
    if (this.isFull) {
      this.recorder.refused++;
      return undefined;
    }
    this.recorder.granted++;
    this.recorder.wait.record(0);
    return this.partitioner.grant(this, undefined, this.#clock.now(), labelOf(options));
  }

  /**
   * Runs `fn` while holding a permit and gives it back however `fn` ends.
   * @returns what `fn` returns; throws what it throws, or what `acquire` throws.
   */
  async run<T>(
    fn: (signal: AbortSignal) => T | PromiseLike<T>,
    options?: AcquireOptions,
  ): Promise<T> {
    const lease = await this.acquire(options);
    try {
      const signal = options?.signal;
      // An abort may come between the grant and this turn; who was cancelled does not run.
      if (signal?.aborted) throw this.#abortError(lease.waiter as Waiter, signal.reason);
      return await fn(signal ?? new AbortController().signal);
    } finally {
      lease.release();
    }
  }

  /**
   * For drivers: asks for a permit. The receiver is told exactly one outcome, perhaps before this
   * returns.
   * @throws `ERR_CONFIG` for options that make no sense.
   */
  request(options: AcquireOptions | undefined, receiver: Receiver): void {
    const patience = this.#patienceOf(options);
    const timeoutMillis = patience || this.#connectMillis;
    const waiter = new Waiter(this, receiver, this.#clock.now(), timeoutMillis, options);
    this.recorder.requested++;
    if (this.#state !== 'open') return this.#refuseClosed(waiter);
    if (options?.signal?.aborted) return this.#abort(waiter, options.signal.reason);
    const atOnce = this.line.length === 0 && this.partitioner.ledger.canGrant(this.account);
    if (!atOnce && (patience === 0 || this.line.length >= this.options.maxWaiting)) {
      return this.#refuseFull(waiter);
    }
    this.#deadlines.arm(waiter);
    if (options?.signal) this.#listen(waiter, options.signal);
    if (atOnce) this.partitioner.grantTo(waiter);
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
    for (let first = this.line.first; first; first = this.line.first) this.#refuseClosed(first);
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

  /** Who holds a lease now, longest first. */
  describeHolders(): Holder[] {
    const now = this.#clock.now();
    return Array.from(this.holders, (lease) =>
      describeHolder(lease, now, this.#traits.describe(lease)),
    );
  }

  // What follows is called by the partitioner and by leases.

  /** True when the deadline passed while the timer was late, as after a stall of the event loop. */
  expireIfDue(waiter: Waiter, now: number): boolean {
    if (!waiter.isDue(now)) return false;
    this.#expire(waiter);
    return true;
  }

  /** False when the caller is gone or its deadline has passed. */
  settleDelivered(waiter: Waiter): boolean {
    if (waiter.state === 'settled') return false;
    const now = this.#clock.now();
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

  /** A lease came back. */
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

  #enqueue(waiter: Waiter): void {
    waiter.state = 'waiting';
    this.line.push(waiter);
    this.partitioner.place(this);
  }

  #listen(waiter: Waiter, signal: AbortSignal): void {
    waiter.signal = signal;
    waiter.onAbort = () => this.#abort(waiter, signal.reason);
    signal.addEventListener('abort', waiter.onAbort, { once: true });
  }

  #expire(waiter: Waiter): void {
    const error = new AcquireTimeoutError(this.#traits.wording.timeout, this.#details(waiter));
    this.recorder.timedOut++;
    this.#reject(waiter, error);
  }

  #abort(waiter: Waiter, reason: unknown): void {
    this.recorder.recordAbort(reason);
    this.#reject(waiter, this.#abortError(waiter, reason));
  }

  #refuseFull(waiter: Waiter): void {
    this.recorder.refused++;
    this.#reject(waiter, new PartitionFullError(this.#traits.wording.full, this.#details(waiter)));
  }

  #refuseClosed(waiter: Waiter): void {
    const error = new PartitionClosedError(this.#traits.wording.closed, this.#details(waiter));
    this.recorder.closed++;
    this.#reject(waiter, error);
  }

  #abortError(waiter: Waiter, reason: unknown): AcquireAbortedError {
    return new AcquireAbortedError(this.#traits.wording.aborted, this.#details(waiter), reason);
  }

  /** Takes a caller out of everything it is in; its permit, if it has one, stays where it is. */
  #reject(waiter: Waiter, error: Error): void {
    if (waiter.state === 'waiting') {
      this.line.remove(waiter);
      this.partitioner.place(this);
    }
    this.#settle(waiter);
    waiter.receiver.rejected(error);
  }

  #settle(waiter: Waiter): void {
    waiter.state = 'settled';
    this.#deadlines.disarm(waiter);
    if (waiter.onAbort) waiter.signal?.removeEventListener('abort', waiter.onAbort);
    waiter.signal = undefined;
    waiter.onAbort = undefined;
    if (this.#state !== 'open') this.checkIdle();
  }

  #details(waiter: Waiter): AcquireDetails {
    return acquireDetails(this, waiter, this.#clock.now(), this.describeHolders());
  }

  #whenIdle(): Promise<void> {
    this.#idle ??= withResolvers();
    const { promise } = this.#idle;
    this.checkIdle();
    return promise;
  }
}

function checkAcquireOptions({ acquireTimeoutMillis, priority, signal }: AcquireOptions): void {
  if (acquireTimeoutMillis === undefined && priority === undefined && !signal) return;
  const faults = new Faults();
  if (acquireTimeoutMillis !== undefined) {
    faults.timeout('acquireTimeoutMillis', acquireTimeoutMillis);
  }
  if (priority !== undefined && !Number.isFinite(priority)) {
    faults.add('priority', 'expected a finite number, higher first', priority);
  }
  // Most likely the controller itself; found out later, the call would be lost half-way.
  if (signal && typeof signal.addEventListener !== 'function') {
    faults.add('signal', 'expected an AbortSignal', signal);
  }
  faults.throwIfAny();
}
