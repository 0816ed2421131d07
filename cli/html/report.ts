import type { Rehearsal, RehearsedPartitions, Scenario } from '../../rehearsal/index.ts';

/** Everything the page tells. */
export interface Report {
  readonly rehearsal: Rehearsal;
  /** As it is told, not as it was scaled. */
  readonly scenario: Scenario;
  readonly partitions: RehearsedPartitions;
  /** Of watertight. */
  readonly version: string;
  readonly date: Date;
}
