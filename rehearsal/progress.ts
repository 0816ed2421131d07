import type { RunName, RunResult } from './result.ts';
import type { PartitionProgress } from './tally.ts';

/** What a rehearsal tells while it runs. */
export type Progress =
  | { readonly kind: 'connected'; readonly server: string }
  | {
      readonly kind: 'run started';
      readonly run: RunName;
      readonly index: number;
      readonly of: number;
      readonly disturbance: string;
    }
  | ({ readonly kind: 'tick' } & Tick)
  | {
      readonly kind: 'run repeated';
      readonly run: RunName;
      /** p99 of actual minus intended arrival, and what it may be. */
      readonly lagMillis: number;
      readonly boundMillis: number;
    }
  | { readonly kind: 'run finished'; readonly run: RunResult };

export interface Tick {
  readonly run: RunName;
  /** `draining` after the last phase, until every request has been settled. */
  readonly phase: string;
  readonly elapsedMillis: number;
  readonly totalMillis: number;
  /** The server's count at this moment. */
  readonly connections: number;
  readonly partitions: Readonly<Record<string, PartitionProgress>>;
}
