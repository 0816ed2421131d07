import type { Lease, Partition, Partitioner as PartitionerOf } from '../../src/index.ts';
import type { Call, Gate, GateOptions, Subject } from './subject.ts';

type Library = typeof import('../../src/index.ts');

/** @param library where the library is; another folder when two versions of it are compared */
export function watertightFrom(library: string): Subject {
  return {
    name: 'watertight',
    abilities: ['sync', 'timeout', 'abort', 'priority'],
    async open({ timeoutMillis }: GateOptions): Promise<Gate> {
      const { Partitioner } = (await import(library)) as Library;
      const partitioner: PartitionerOf<'one'> = new Partitioner({
        partitions: { one: 1 },
        acquireTimeoutMillis: timeoutMillis,
        maxWaiting: Infinity,
      });
      return gateOf(partitioner.partition('one'));
    },
  };
}

function gateOf(partition: Partition): Gate {
  return {
    async turns(count) {
      for (let turn = 0; turn < count; turn++) {
        const lease = await partition.acquire();
        lease.release();
      }
    },
    turnsSync(count) {
      for (let turn = 0; turn < count; turn++) partition.tryAcquire()?.release();
    },
    async hold() {
      const lease = await partition.acquire();
      return () => lease.release();
    },
    caller(outcome) {
      const served = (lease: Lease): void => {
        lease.release();
        outcome.served();
      };
      return (call) => {
        void partition.acquire(call && optionsOf(call)).then(served, outcome.refused);
      };
    },
    ask: () => partition.acquire(),
  };
}

function optionsOf({
  signal,
  timeoutMillis,
  priority,
}: Call): NonNullable<Parameters<Partition['acquire']>[0]> {
  if (signal) return { signal };
  return { acquireTimeoutMillis: timeoutMillis, priority };
}
