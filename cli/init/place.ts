import type { Edit } from './edits.ts';
import type { Load } from './loads.ts';
import type { Source } from './names.ts';

export type DriverName = 'pg' | 'mysql2' | 'mongoose';

/** A pool that can be divided where it stands. */
export interface Place {
  readonly driver: DriverName;
  readonly file: string;
  readonly line: number;
  /** `new Pool`, `createPool`, `mongoose.connect`. */
  readonly what: string;
  /** What the code calls it, or else its file. */
  readonly name: string;
  /** Connections there are to divide. */
  readonly capacity: number;
  /** How that is known, for people. */
  readonly origin: string;
  /** What the configuration file is to say of the whole pool. */
  readonly settings: { readonly max?: number; readonly acquireTimeoutMillis?: number };
  /** What to look at, a sentence each. */
  readonly notes: readonly string[];
  /** Where its file takes the driver from; with `dropsIn`, watertight's module of the name comes in its place. */
  readonly source: Source;
  readonly dropsIn: boolean;
  /** What its file has to load besides. */
  readonly loads: readonly Load[];
  /** @param config the expression that loads its configuration */
  wire(config: string): Wiring;
}

/** How a pool comes to its partitions. */
export interface Wiring {
  readonly edits: readonly Edit[];
  /** A statement that belongs below what the file loads at its top. */
  readonly below?: string;
}

/** A pool that somebody has to divide by hand, or that is divided already. */
export interface Other {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** What one file has. */
export interface Found {
  readonly places: Place[];
  readonly divided: Other[];
  /** With the page that says how. */
  readonly byHand: (Other & { readonly page: string })[];
  /** Pools of tests and scripts, which stay as they are. */
  readonly aside: Other[];
  /** Tests that put something else in the place of a driver. */
  readonly mocks: Other[];
}
