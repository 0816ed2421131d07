import type { Lease } from '../../src/lease.ts';
import type { Partition } from '../../src/partition.ts';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import { request, type Receiver } from './receiver.ts';

/** What a test does when a caller is told, besides the log. */
export type Reaction = (lease: Lease) => void;

export interface Reactions {
  readonly granted?: Reaction;
  readonly rejected?: () => void;
}

/** A driver in miniature: asks for permits by name and logs what it is told, in order. */
export class FakeDriver {
  readonly log: string[] = [];
  /** The lease each caller was granted. */
  readonly leases: Record<string, Lease> = {};

  /** Delivers at once unless told otherwise. */
  request(
    partition: Partition,
    name: string,
    options: AcquireOptions = {},
    { granted = (lease) => void lease.deliver(), rejected }: Reactions = {},
  ): void {
    const receiver: Receiver = {
      granted: (lease) => {
        this.log.push(`${name} granted`);
        this.leases[name] = lease;
        granted(lease);
      },
      rejected: (error) => {
        this.log.push(`${name} ${(error as { code?: string }).code ?? error.message}`);
        rejected?.();
      },
    };
    request(partition, options, receiver);
  }

  lease(name: string): Lease {
    const lease = this.leases[name];
    if (!lease) throw new Error(`${name} was granted nothing`);
    return lease;
  }
}
