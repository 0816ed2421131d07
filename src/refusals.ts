import { Circumstances, type Grounds } from './circumstances.ts';
import type { Clock } from './clock.ts';
import {
  AcquireAbortedError,
  AcquireTimeoutError,
  PartitionClosedError,
  PartitionFullError,
  type AcquireDetails,
  type Holder,
} from './errors.ts';
import type { Holders, Holding } from './holders.ts';
import type { Account, Ledger } from './ledger.ts';
import type { Recorder } from './stats.ts';
import type { Waiter } from './waiter.ts';

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
  describe(holding: Holding): Readonly<Record<string, unknown>>;
}

/** The partition that says no, as far as an error tells of it. */
interface Subject {
  readonly name: string;
  readonly closed: boolean;
  readonly account: Account;
  readonly waiting: number;
  readonly holders: Holders;
  readonly recorder: Recorder;
  readonly options: { readonly acquireTimeoutMillis: number };
}

/** A caller, as far as an error tells of it. */
type Call = Pick<Waiter, 'state' | 'startedAt'>;

/** An acquire error's class. */
type Kind<E> = new (details: AcquireDetails, options?: ErrorOptions) => E;

/** Errors list this many holders, those who have held longest. */
const MAX_HOLDERS = 10;

/** Counts each no of a partition and words it: what is held, by whom, and what would have helped. */
export class Refusals {
  readonly #subject: Subject;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #traits: PartitionTraits;
  readonly #headers: AcquireDetails['headers'];
  readonly #ownSetting: string;
  #circumstances: Circumstances | undefined = undefined;

  constructor(subject: Subject, ledger: Ledger, clock: Clock, traits: PartitionTraits) {
    const { name, account, options } = subject;
    const seconds = Math.max(1, Math.ceil(options.acquireTimeoutMillis / 1000));
    const setting = account.max === account.size ? 'size' : 'max';
    this.#subject = subject;
    this.#ledger = ledger;
    this.#clock = clock;
    this.#traits = traits;
    this.#headers = Object.freeze({ 'Retry-After': String(seconds) });
    this.#ownSetting = `partitions.${name}.${setting} = ${account.max}`;
  }

  timedOut(waiter: Waiter, now: number): AcquireTimeoutError {
    this.#subject.recorder.timedOut++;
    return this.#make(AcquireTimeoutError, this.#traits.wording.timeout, waiter, now);
  }

  full(waiter: Waiter): PartitionFullError {
    this.#subject.recorder.refused++;
    return this.#make(PartitionFullError, this.#traits.wording.full, waiter);
  }

  closed(waiter: Waiter): PartitionClosedError {
    this.#subject.recorder.closed++;
    return this.#make(PartitionClosedError, this.#traits.wording.closed, waiter);
  }

  aborted(waiter: Waiter, cause: unknown): AcquireAbortedError {
    this.#subject.recorder.recordAbort(cause);
    const { aborted } = this.#traits.wording;
    return this.#make(AcquireAbortedError, aborted, waiter, this.#clock.now(), { cause });
  }

  /** The lease was given and counted; only then was the caller found gone. */
  abortedAfterGrant(startedAt: number, cause: unknown): AcquireAbortedError {
    const call: Call = { state: 'settled', startedAt };
    const { aborted } = this.#traits.wording;
    return this.#make(AcquireAbortedError, aborted, call, this.#clock.now(), { cause });
  }

  /** Who holds a lease now, longest first. */
  describeHolders(now: number, most: number = MAX_HOLDERS): Holder[] {
    const holdings = this.#subject.holders.oldestFirst();
    return holdings.slice(0, most).map((holding) => {
      const label = holding.label === undefined ? {} : { label: holding.label };
      const known = this.#traits.describe(holding);
      return { ...label, heldMillis: Math.max(0, now - holding.grantedAt), ...known };
    });
  }

  /**
   * With a stack only while the call is still under way. Later it would tell of a timer, an abort or
   * a close and not of the caller, and it is most of what an error costs (7 of the 8 µs).
   */
  #make<E extends Error>(
    kind: Kind<E>,
    words: string,
    call: Call,
    now: number = this.#clock.now(),
    options?: ErrorOptions,
  ): E {
    const details = this.#details(words, call, now);
    const limit = Error.stackTraceLimit;
    if (call.state !== 'calling') Reflect.set(Error, 'stackTraceLimit', 0);
    const error = new kind(details, options);
    if (call.state !== 'calling') Reflect.set(Error, 'stackTraceLimit', limit);
    return error;
  }

  #details(words: string, call: Call, now: number): AcquireDetails {
    const { name, account, waiting } = this.#subject;
    const step = call.state === 'connecting' ? 'connecting' : 'waiting';
    const setting = this.#lacksPermit(call) ? this.#settingInTheWay() : undefined;
    const grounds = { at: now, words, step, inUse: account.used, setting } as const;
    const circumstances = this.#circumstancesFor(grounds);
    const waitedMillis = now - call.startedAt;
    return {
      message: circumstances.message(waitedMillis, waiting),
      partition: name,
      step,
      waitedMillis,
      inUse: account.used,
      size: account.size,
      max: account.max,
      waiting,
      holders: circumstances.holders,
      setting,
      headers: this.#headers,
    };
  }

  #circumstancesFor(grounds: Grounds): Circumstances {
    if (!this.#circumstances?.applyTo(grounds)) {
      const { name, account } = this.#subject;
      const place = { name, size: account.size, max: account.max };
      const holders = Object.freeze(this.describeHolders(grounds.at));
      this.#circumstances = new Circumstances(grounds, place, holders);
    }
    return this.#circumstances;
  }

  /** False for who is turned away for another reason: closed, aborted before its call, connecting. */
  #lacksPermit({ state }: Call): boolean {
    const undecided = state === 'waiting' || state === 'calling';
    return undecided && !this.#subject.closed && !this.#ledger.canGrant(this.#subject.account);
  }

  /** What keeps the partition from one more permit. */
  #settingInTheWay(): string {
    const { used, max } = this.#subject.account;
    return used < max ? `max = ${this.#ledger.max}` : this.#ownSetting;
  }
}
