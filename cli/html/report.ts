import type { RehearsedPartitions } from '../../rehearsal/index.ts';
import type { Told } from '../time-axis.ts';

/** Everything the page tells. */
export interface Report extends Told {
  readonly partitions: RehearsedPartitions;
  /** Of watertight. */
  readonly version: string;
  readonly date: Date;
}
