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

/** Errors list this many holders, those who have held longest. */
const MAX_HOLDERS = 10;

/** Counts each no of a partition and words it: what is held, by whom, and what would have helped. */
export class Refusals {
  readonly #subject: Subject;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #traits: PartitionTraits;

  constructor(subject: Subject, ledger: Ledger, clock: Clock, traits: PartitionTraits) {
    this.#subject = subject;
    this.#ledger = ledger;
    this.#clock = clock;
    this.#traits = traits;
  }

  timedOut(waiter: Waiter): AcquireTimeoutError {
    this.#subject.recorder.timedOut++;
    return new AcquireTimeoutError(this.#traits.wording.timeout, this.#details(waiter));
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
  describeHolders(most: number = MAX_HOLDERS): Holder[] {
    const now = this.#clock.now();
    const described: Holder[] = [];
    for (const lease of this.#subject.holders) {
      if (described.length === most) break;
      const label = lease.label === undefined ? {} : { label: lease.label };
      const known = this.#traits.describe(lease);
      described.push({ ...label, heldMillis: now - lease.grantedAt, ...known });
    }
    return described;
  }

  #details(waiter: Waiter): AcquireDetails {
    const { name, account, waiting, options } = this.#subject;
    return {
      partition: name,
      step: waiter.state === 'connecting' ? 'connecting' : 'waiting',
      waitedMillis: this.#clock.now() - waiter.startedAt,
      inUse: account.used,
      size: account.size,
      max: account.max,
      waiting,
      holders: this.describeHolders(),
      setting: this.#lacksPermit(waiter) ? this.#settingInTheWay() : undefined,
      retryAfterSeconds: Math.max(1, Math.ceil(options.acquireTimeoutMillis / 1000)),
    };
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
