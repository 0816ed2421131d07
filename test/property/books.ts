import type { Lease } from '../../src/lease.ts';
import type { Partition } from '../../src/partition.ts';
import type { FakeSignal } from '../fakes/fake-signal.ts';
import type { PartitionPlan } from './plan.ts';

export type Outcome = 'granted' | 'failed' | 'FULL' | 'CLOSED' | 'TIMEOUT' | 'ABORTED';

/** What a call expects when no other is under way: its outcome, or to stand in line. */
export type Expected = Outcome | 'waiting';

/** One call as its caller sees it. */
export interface Call {
  readonly id: number;
  /** The step in which it was made. */
  readonly step: number;
  readonly part: Part;
  /** Who is told: a driver within the same turn; `acquire` and `run` in a later microtask. */
  readonly kind: 'driver' | 'acquire' | 'run';
  readonly priority: number;
  readonly startedAt: number;
  readonly deadline: number;
  readonly signal: FakeSignal | undefined;
  /**
   * Its turn among those of its priority. Undefined until the call returns: whoever it found late
   * in a full line is told meanwhile, and may make a call that stands before it.
   */
  place: number | undefined;
  permits: number;
  outcome: Outcome | undefined;
}

/** A lease that somebody has to give back. */
export interface Held {
  readonly part: Part;
  readonly call: Call | undefined;
  /** Undefined for `run`, which keeps its lease to itself. */
  readonly lease: Lease | undefined;
  /** Ends the function of a `run`. */
  readonly finish: (() => void) | undefined;
}

/** One partition as an observer knows it: from what callers were told, never from its counters. */
export class Part {
  readonly real: Partition;
  readonly plan: PartitionPlan;
  used = 0;
  state: 'open' | 'draining' | 'closed' = 'open';
  readonly line: Set<Call> = new Set();
  readonly outcomes: Record<Outcome, number> = {
    granted: 0,
    failed: 0,
    FULL: 0,
    CLOSED: 0,
    TIMEOUT: 0,
    ABORTED: 0,
  };
  requested = 0;

  constructor(real: Partition, plan: PartitionPlan) {
    this.real = real;
    this.plan = plan;
  }

  /** Permits due to it that it does not have. */
  get due(): number {
    return Math.max(0, this.plan.size - this.used);
  }

  get claims(): boolean {
    return this.line.size > 0 && this.used < this.plan.size;
  }

  /** For people who read a failure. */
  get text(): string {
    const { size, max } = this.plan;
    return `${this.real.name} (size ${size}, max ${max}, in use ${this.used}, waiting ${this.line.size})`;
  }
}

/** Would be served before: higher priority, then first come. */
export const isBefore = (one: Call, other: Call): boolean =>
  one.priority > other.priority ||
  (one.priority === other.priority && (one.place ?? Infinity) < (other.place ?? Infinity));
