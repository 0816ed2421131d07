import { Durations, type Percentiles } from './durations.ts';

/** State at one instant; it may have changed by the time it is read. */
export interface PartitionGauges {
  readonly size: number;
  readonly max: number;
  /** Permits taken: connections in use, being opened for a caller, or being closed after use. */
  readonly inUse: number;
  readonly waiting: number;
  /** Calls that would be granted at once now. */
  readonly available: number;
  /** How long the first in line has waited; 0 when nobody waits. */
  readonly oldestWaitMillis: number;
}

/** Since the partition was made. `requested` is the sum of the others plus the calls under way. */
export interface PartitionCounters {
  readonly requested: number;
  /** Callers that got their lease. */
  readonly granted: number;
  /** `ERR_PARTITION_FULL`: the line was at `maxWaiting`, or the call would not wait. */
  readonly refused: number;
  readonly timedOut: number;
  readonly aborted: number;
  /** The connection could not be had: the driver's error went to the caller. */
  readonly failed: number;
  /** Turned away because the partition was closed. */
  readonly closed: number;
  /** `aborted` by the `name` of the signal's reason, or the reason itself when it is a string. */
  readonly abortedByReason: Readonly<Record<string, number>>;
  /** Calls that came here as `defaultPartition`, since they ran outside any `runIn`. */
  readonly contextFallbacks: number;
}

/** A frozen snapshot. */
export interface PartitionStats {
  readonly name: string;
  readonly gauges: PartitionGauges;
  readonly counters: PartitionCounters;
  /** From the call until the lease was there: the line, and in a driver the connect. */
  readonly waitMillis: Percentiles;
  /** From the grant of the permit until it came back. */
  readonly holdMillis: Percentiles;
}

/** Reasons come from outside: their number is bounded so that statistics stay small. */
const MAX_REASONS = 20;

export class Recorder {
  requested = 0;
  granted = 0;
  /** Granted without a wait; counted once here, and not among those requested and granted. */
  grantedAtOnce = 0;
  refused = 0;
  timedOut = 0;
  aborted = 0;
  failed = 0;
  closed = 0;
  contextFallbacks = 0;
  readonly wait: Durations = new Durations();
  readonly hold: Durations = new Durations();
  readonly #reasons = new Map<string, number>();

  recordAbort(reason: unknown): void {
    this.aborted++;
    const name = reasonName(reason);
    const known = this.#reasons.has(name) || this.#reasons.size < MAX_REASONS;
    const key = known ? name : 'other';
    this.#reasons.set(key, (this.#reasons.get(key) ?? 0) + 1);
  }

  snapshot(name: string, gauges: PartitionGauges): PartitionStats {
    const { grantedAtOnce, refused, timedOut, aborted, failed, closed } = this;
    return Object.freeze({
      name,
      gauges: Object.freeze(gauges),
      counters: Object.freeze({
        requested: this.requested + grantedAtOnce,
        granted: this.granted + grantedAtOnce,
        refused,
        timedOut,
        aborted,
        failed,
        closed,
        abortedByReason: Object.freeze(Object.fromEntries(this.#reasons)),
        contextFallbacks: this.contextFallbacks,
      }),
      waitMillis: this.wait.snapshot(grantedAtOnce),
      holdMillis: this.hold.snapshot(),
    });
  }
}

function reasonName(reason: unknown): string {
  if (reason instanceof Error || reason instanceof DOMException) return reason.name;
  return typeof reason === 'string' ? reason.slice(0, 60) : typeof reason;
}
