import type { Percentiles } from './percentiles.ts';
import type { RehearsedPartition, RehearsedPartitions } from './scenario.ts';
import type { PartitionResult } from './tally.ts';
import type { Timeline } from './timeline.ts';

export type RunName = 'shared' | 'baseline' | 'partitioned';

export interface RunResult {
  readonly name: RunName;
  readonly partitions: Readonly<Record<string, PartitionResult>>;
  /** The most connections the server itself counted at any one time in this run. */
  readonly serverPeak: number;
  /** How late the load generator was itself: actual minus intended arrival. */
  readonly arrivalLagMillis: Percentiles;
  /** What the p99 of that lag may be, lest it is mistaken for latency of the pool. */
  readonly lagBoundMillis: number;
  readonly keptSchedule: boolean;
  /** Above this the load was not that of the scenario: the run is void. */
  readonly voidBoundMillis: number;
  readonly void: boolean;
  /** How often the run was played until the generator kept its schedule. This is the best of them. */
  readonly attempts: number;
  /** All attempts together, with the opening and closing of their connections. */
  readonly tookMillis: number;
  readonly timeline: Timeline;
}

export interface ObjectiveResult {
  readonly run: RunName;
  readonly partition?: string;
  readonly name: string;
  /** Null when there was nothing to measure; then the objective is not met. */
  readonly got: number | null;
  readonly limit: number;
  /** `got` must be at least, at most, or below `limit`. */
  readonly rule: 'at least' | 'at most' | 'below';
  /** A share of 1, a ratio of two durations, or a plain count. */
  readonly unit: 'share' | 'ratio' | 'count';
  readonly met: boolean;
}

/** As in a configuration file: JSON knows no `Infinity`. */
export interface ReportedPartition extends Omit<RehearsedPartition, 'maxWaiting'> {
  readonly maxWaiting?: number | 'Infinity';
}

export function reportedPartitions(
  partitions: RehearsedPartitions,
): Readonly<Record<string, ReportedPartition>> {
  const reported = ({ maxWaiting, ...partition }: RehearsedPartition): ReportedPartition => {
    if (maxWaiting === undefined) return partition;
    return { ...partition, maxWaiting: maxWaiting === Infinity ? 'Infinity' : maxWaiting };
  };
  return Object.fromEntries(
    Object.entries(partitions).map(([name, partition]) => [name, reported(partition)]),
  );
}

/** The document of a rehearsal, as `--json` writes it. All times are measured, not rescaled. */
export interface Rehearsal {
  readonly scenario: string;
  /** What goes wrong in it: `reports`. */
  readonly disturbance: string;
  /** Plays it again with the same arrivals. Not there: nothing was left to chance. */
  readonly seed?: number;
  readonly driver: string;
  readonly server: string;
  readonly timeScale: number;
  readonly max: number;
  /** What was rehearsed; like all times here its timeouts are those of the machine. */
  readonly partitions?: Readonly<Record<string, ReportedPartition>>;
  readonly runs: readonly RunResult[];
  readonly objectives: readonly ObjectiveResult[];
  /** Some run is void: nothing is proven, and what the objectives got counts for nothing. */
  readonly void: boolean;
  /** True when every objective is met, and no run is void. */
  readonly met: boolean;
}
