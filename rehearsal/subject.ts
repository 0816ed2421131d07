/**
 * What the rehearsal needs to know of a database driver, and no more: how to lease a connection
 * and keep it busy, and how to ask the server what it sees. A driver is plugged in by
 * implementing `RehearsalDriver`; the load, the runs and the objectives never look behind it.
 */
import type { RehearsedPartitions, Scenario } from './scenario.ts';
import type { TemporaryServer } from './temporary-server.ts';
import type { Loss } from './tally.ts';

/** A connection that is held. */
export interface RehearsalLease {
  /** Keeps the connection busy on the server for so long. */
  hold(millis: number): Promise<void>;
  /** Runs a statement on it. */
  run(statement: string): Promise<void>;
  /** Gives it back; with an error the connection is thrown away. Once. */
  release(error?: Error): void;
}

/** What a lease will be used for, as far as it is known beforehand. */
export interface Intent {
  readonly holdMillis: number;
  /** Aborted when the rehearsal is over: whoever is in line then may go. */
  readonly signal: AbortSignal;
}

/** A pool under rehearsal. */
export interface Subject {
  /**
   * A connection is held by one operation, not by a session: a lease is good for one hold, for as
   * long as its intent says.
   */
  readonly perOperation?: boolean;
  /** The server's own numbers of the connections so far, where it shows no labels. */
  readonly connectionIds?: ReadonlySet<number>;
  checkout(partition: string, intent: Intent): Promise<RehearsalLease>;
  /** Opens the connections before the first request comes, as in a service that has been up for a while. */
  warmUp(): Promise<void>;
  /** Resolves when every connection is closed. Call it when none is held any more. */
  close(): Promise<void>;
}

/** How many connections the server would still accept, by its own figures. */
export interface Room {
  readonly free: number;
  /** The figures it follows from, for the message. */
  readonly because: string;
}

/** A connection of its own, outside every pool, through which the server testifies. */
export interface Witness {
  /** Product and version, such as `PostgreSQL 18.4`. */
  readonly server: string;
  /** Where the pools under rehearsal connect. Not there: to the server itself. */
  readonly poolUrl?: string;
  room(): Promise<Room>;
  /**
   * Connections the server counts under this label, in whatever state; where it shows no labels,
   * those that are still there of these.
   */
  countConnections(label: string, ids?: ReadonlySet<number>): Promise<number>;
  close(): Promise<void>;
}

export interface SharedOptions {
  readonly url: string;
  /** The name under which the server sees the connections of this run. */
  readonly label: string;
  readonly max: number;
  readonly acquireTimeoutMillis: number;
}

export interface PartitionedOptions {
  readonly url: string;
  readonly label: string;
  readonly max: number;
  readonly partitions: RehearsedPartitions;
}

export interface RehearsalDriver {
  readonly name: string;
  openWitness(url: string): Promise<Witness>;
  /** The driver's own pool, undivided: today's code. Opens no connection yet. */
  openShared(options: SharedOptions): Subject | Promise<Subject>;
  /** The pool with partitions; throws what its configuration check throws. */
  openPartitioned(options: PartitionedOptions): Subject | Promise<Subject>;
  /** How a checkout that rejected is to be counted. */
  classify(error: unknown): Loss;
  /** Makes the one clear line for a connection that could not be opened; shows no password. */
  cannotConnect(error: unknown, url: string): Error;
}

/** What a pool of the user's own has. */
export interface Stock {
  readonly max: number;
  readonly partitions: RehearsedPartitions;
}

/** A pool that the user has made. */
export interface OwnPool {
  readonly isDivided: boolean;
  readonly isEnded: boolean;
  /** Of a pool of the driver itself: no partitions. */
  stock(): Stock | Promise<Stock>;
  /** With which label it connects. */
  label(): Promise<string>;
  end(): Promise<void>;
}

/** What the user has made instead. */
export interface NoPool {
  /** Such as `undefined`. */
  readonly isNot: string;
  end(): Promise<void>;
}

/** Pools that the user makes. They are ended when their subject is closed. */
export interface OwnPools {
  /** What the factories are to make, such as `a pg.Pool`. */
  readonly divided: string;
  readonly undivided: string;
  /** What the label is called in the URL. */
  readonly labelName: string;
  /** With the label under which the server is to show the connections. */
  labelUrl(url: string, label: string): string;
  /** JavaScript may give anything. */
  inspect(given: unknown): OwnPool | NoPool | Promise<OwnPool | NoPool>;
  /** Of what was inspected. */
  partitioned(pool: unknown, options: PartitionedOptions): Subject;
  shared(pool: unknown, options: SharedOptions): Subject;
}

/** A driver, with what it takes to rehearse a pool of the user's own. */
export interface PluggableDriver extends RehearsalDriver {
  readonly ownPools: OwnPools;
}

/** What is known of a driver before it is loaded. */
export interface DriverFace {
  /** Such as `PostgreSQL`. */
  readonly product: string;
  readonly exampleUrl: string;
  /** @throws `ERR_REHEARSAL_OPTION` for what is no URL of such a server */
  checkUrl(url: string): void;
  /**
   * The scenario as this driver can play it.
   * @throws `ERR_REHEARSAL_OPTION` with everything that it cannot play
   */
  adapt(scenario: Scenario): Scenario;
  /** Loads the driver. @throws when its package is not installed */
  load(): Promise<PluggableDriver>;
  /** What `startServer` starts, such as `an embedded PostgreSQL`. */
  readonly ownServer: string;
  /** @throws `ERR_NO_SERVER`, or the signal's reason */
  startServer(options: ServerOptions): Promise<TemporaryServer>;
}

export interface ServerOptions {
  /** Connections that clients may open; a few more are kept for the count and for looking in. */
  readonly connections: number;
  readonly signal?: AbortSignal;
}
