/** `watertight/rehearsal`: the rehearsal as a test of one's own. */
export { isRehearsalError, RehearsalError, type RehearsalErrorCode } from '../errors.ts';
export { monthEnd, scenarios } from '../index.ts';
export type { Percentiles } from '../percentiles.ts';
export type { Progress, Tick } from '../progress.ts';
export type { ObjectiveResult, Rehearsal, ReportedPartition } from '../result.ts';
export type { RunName, RunResult } from '../result.ts';
export type {
  ArrivalWorkload,
  Limits,
  Phase,
  RehearsedPartition,
  RehearsedPartitions,
  Scenario,
  WorkerWorkload,
  Workload,
} from '../scenario.ts';
export type { PartitionProgress, PartitionResult } from '../tally.ts';
export { rehearsalMatchers, type MatcherAnswer, type RehearsalMatchers } from './matchers.ts';
export type { DriverName } from '../drivers.ts';
export type {
  AnyDividedPool,
  AnySharedPool,
  PoolRequest,
  RehearseOptions,
  SharedPoolRequest,
} from './options.ts';
export { rehearse } from './rehearse.ts';
export type { PartitionReport, RehearsalResult } from './result.ts';
