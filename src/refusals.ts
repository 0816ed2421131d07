import type { Clock } from './clock.ts';
import {
  AcquireAbortedError,
  AcquireTimeoutError,
  PartitionClosedError,
  PartitionFullError,
  type AcquireDetails,
  type Holder,
} from './errors.ts';
import type { Holders } from './holders.ts';
import type { Account, Ledger } from './ledger.ts';
import type { Lease } from './lease.ts';
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
  describe(lease: Lease): Readonly<Record<string, unknown>>;
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

/** The holders at one moment. */
interface Described {
  readonly at: number;
  readonly holders: readonly Holder[];
  readonly longest: string;
}

/** Errors list this many holders, those who have held longest. */
const MAX_HOLDERS = 10;

/**
 * An error made by a timer: its stack would tell of the timer and not of the caller, and it took
 * most of the 13 µs of a timeout, which are 6 without it, and the memory of thousands of stacks.
 */
function withoutStack<E extends Error>(make: () => E): E {
  const limit = Error.stackTraceLimit;
  Reflect.set(Error, 'stackTraceLimit', 0);
  const error = make();
  Reflect.set(Error, 'stackTraceLimit', limit);
  return error;
}

/** Counts each no of a partition and words it: what is held, by whom, and what would have helped. */
export class Refusals {
  readonly #subject: Subject;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #traits: PartitionTraits;
  #described: Described = { at: NaN, holders: [], longest: '' };

  constructor(subject: Subject, ledger: Ledger, clock: Clock, traits: PartitionTraits) {
    this.#subject = subject;
    this.#ledger = ledger;
    this.#clock = clock;
    this.#traits = traits;
  }

  timedOut(waiter: Waiter, now: number): AcquireTimeoutError {
    this.#subject.recorder.timedOut++;
    const details = this.#details(waiter, now);
    return withoutStack(() => new AcquireTimeoutError(this.#traits.wording.timeout, details));
  }

  full(waiter: Waiter): PartitionFullError {
    this.#subject.recorder.refused++;
    return new PartitionFullError(this.#traits.wording.full, this.#details(waiter));
  }

  closed(waiter: Waiter): PartitionClosedError {
    this.#subject.recorder.closed++;
    return new PartitionClosedError(this.#traits.wording.closed, this.#details(waiter));
  }

  aborted(waiter: Waiter, reason: unknown): AcquireAbortedError {
    this.#subject.recorder.recordAbort(reason);
    return this.abortedAfterGrant(waiter, reason);
  }

  /** The lease was given and counted; only then was the caller found gone. */
  abortedAfterGrant(waiter: Waiter, reason: unknown): AcquireAbortedError {
    return new AcquireAbortedError(this.#traits.wording.aborted, this.#details(waiter), reason);
  }

  /** Who holds a lease now, longest first. */
  describeHolders(now: number, most: number = MAX_HOLDERS): Holder[] {
    const leases = this.#subject.holders.oldestFirst();
    return leases.slice(0, most).map((lease) => {
      const label = lease.label === undefined ? {} : { label: lease.label };
      const known = this.#traits.describe(lease);
      return { ...label, heldMillis: Math.max(0, now - lease.grantedAt), ...known };
    });
  }

  #details(waiter: Waiter, now: number = this.#clock.now()): AcquireDetails {
    const { name, account, waiting, options } = this.#subject;
    const { holders, longest } = this.#holdersAt(now);
    return {
      partition: name,
      step: waiter.state === 'connecting' ? 'connecting' : 'waiting',
      waitedMillis: now - waiter.startedAt,
      inUse: account.used,
      size: account.size,
      max: account.max,
      waiting,
      holders,
      longest,
      setting: this.#lacksPermit(waiter) ? this.#settingInTheWay() : undefined,
      retryAfterSeconds: Math.max(1, Math.ceil(options.acquireTimeoutMillis / 1000)),
    };
  }

  /** The same list for all who are told at the same moment: there may be thousands. */
  #holdersAt(now: number): Described {
    if (now !== this.#described.at) {
      const holders = Object.freeze(this.describeHolders(now));
      this.#described = { at: now, holders, longest: describeLongest(holders[0]) };
    }
    return this.#described;
  }

  /** False for who is turned away for another reason: closed, aborted before its call, connecting. */
  #lacksPermit({ state }: Waiter): boolean {
    const undecided = state === 'waiting' || state === 'calling';
    return undecided && !this.#subject.closed && !this.#ledger.canGrant(this.#subject.account);
  }

  /** The setting that keeps the partition from one more permit, with its value. */
  #settingInTheWay(): string {
    const { name, account } = this.#subject;
    if (account.used < account.max) return `max = ${this.#ledger.max}`;
    const setting = account.max === account.size ? 'size' : 'max';
    return `partitions.${name}.${setting} = ${account.max}`;
  }
}

/** Who has held longest, as the message of an error says it. */
function describeLongest(holder: Holder | undefined): string {
  if (!holder) return '';
  const { label, heldMillis, ...known } = holder;
  const words = Object.entries(known).map(([key, value]) => `${key} ${String(value)}`);
  if (label !== undefined) words.unshift(`'${label}'`);
  const by = words.length > 0 ? ` by ${words.join(', ')}` : '';
  return `; longest held ${Math.round(heldMillis)} ms${by}`;
}
