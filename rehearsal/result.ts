import type { Percentiles } from './percentiles.ts';
import type { RehearsedPartitions } from './scenario.ts';
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
  /** Whether that lag was small enough not to be mistaken for latency of the pool. */
  readonly keptSchedule: boolean;
  /** How often the run was played until the generator kept its schedule. This is the best of them. */
  readonly attempts: number;
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
  readonly partitions?: RehearsedPartitions;
  readonly runs: readonly RunResult[];
  readonly objectives: readonly ObjectiveResult[];
  /** True when every objective is met. */
  readonly met: boolean;
}
