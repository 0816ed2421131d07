/**
 * What the rehearsal needs to know of a database driver, and no more: how to lease a connection
 * and keep it busy, and how to ask the server what it sees. A driver is plugged in by
 * implementing `RehearsalDriver`; the load, the runs and the objectives never look behind it.
 */
import type { RehearsedPartitions } from './scenario.ts';
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

/** A pool under rehearsal. */
export interface Subject {
  checkout(partition: string): Promise<RehearsalLease>;
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
  room(): Promise<Room>;
  /** Connections the server counts under this label, in whatever state. */
  countConnections(label: string): Promise<number>;
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
  /** Makes the one clear line for a server that went away in the middle of a run. */
  connectionLost(error: unknown): Error;
}
