import type { RunningServer } from './database.ts';
import type { DatabaseName } from './databases.ts';

export interface Skipped {
  /** Why there is no server. */
  readonly skipped: string;
}

// Set-up and tear-down of the tests are loaded apart from each other.
const key = Symbol.for('watertight.test.servers');
const shared = globalThis as { [key]?: Map<DatabaseName, RunningServer | Skipped> };

/** The servers of this run of the tests. */
export const servers: Map<DatabaseName, RunningServer | Skipped> = (shared[key] ??= new Map());
