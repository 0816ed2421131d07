import type { AcquireOptions } from '../../src/acquire-options.ts';
import type { PartitionsConfig } from '../../src/config.ts';
import type { PartitionStats } from '../../src/stats.ts';

/** A driver, as the contract sees it: as few verbs as the contract needs, all of them real. */
export interface Driver {
  readonly name: string;
  /**
   * False where what a holder has is the bare connection, the same for the next holder: then nobody
   * can tell whose release it is.
   */
  readonly seesStaleRelease: boolean;
  /** False where a partition ends only with its pool. */
  readonly endsPartitions: boolean;
  /** A pool on a real server, or on one that speaks its protocol. Ended after the test. */
  open(options: OpenOptions): Promise<OpenedPool>;
}

export interface OpenOptions {
  readonly max: number;
  readonly partitions: PartitionsConfig;
  readonly defaultPartition?: string;
  readonly acquireTimeoutMillis?: number;
  readonly maxWaiting?: number;
  /** Milliseconds that each new connection takes at least. */
  readonly connectMillis?: number;
}

export interface OpenedPool {
  /** Takes a connection and keeps it until `release`. Without a name: on the pool itself. */
  hold(partition?: string, options?: HoldOptions): Promise<Held>;
  /** One statement, on a connection taken for it. Without a name: on the pool itself. */
  query(partition?: string): Promise<void>;
  stats(partition: string): Pick<PartitionStats, 'gauges'> & {
    readonly counters: Omit<PartitionStats['counters'], 'abortedByReason'>;
  };
  readonly partitionOf: (name: string) => { readonly available: number; readonly isFull: boolean };
  end(): Promise<void>;
  /** Asked only of a driver that `endsPartitions`. */
  readonly endPartition?: (name: string) => Promise<void>;
  /** How many connections of this pool the server itself counts. */
  countConnections(): Promise<number>;
}

export interface Held {
  /** The connection as the server knows it. */
  readonly id: number | string;
  /** Gives the connection back; settles when it is back. */
  release(): Promise<void>;
  /** The server ends the connection. */
  kill(): Promise<void>;
}

/** Those of a call that every driver has. */
export type HoldOptions = Pick<AcquireOptions, 'signal'>;
