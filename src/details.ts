import type { AcquireDetails } from './errors.ts';
import type { Holder } from './holders.ts';
import type { Lease } from './lease.ts';
import type { Partition } from './partition.ts';
import type { Waiter } from './waiter.ts';

/** Who holds a lease, as far as errors and statistics may tell. */
export function describeHolder(
  lease: Lease,
  now: number,
  known: Readonly<Record<string, unknown>>,
): Holder {
  const label = lease.label === undefined ? {} : { label: lease.label };
  return { ...label, heldMillis: now - lease.grantedAt, ...known };
}

/** The partition as it is when it says no to a waiter: what an error convicts with. */
export function acquireDetails(
  partition: Partition,
  waiter: Waiter,
  now: number,
  holders: readonly Holder[],
): AcquireDetails {
  const step = waiter.state === 'connecting' ? 'connecting' : 'waiting';
  return {
    partition: partition.name,
    step,
    waitedMillis: now - waiter.startedAt,
    inUse: partition.inUse,
    size: partition.size,
    max: partition.max,
    waiting: partition.waiting,
    holders,
    setting: lacksPermit(partition, waiter) ? settingInTheWay(partition) : undefined,
    retryAfterSeconds: Math.max(1, Math.ceil(partition.options.acquireTimeoutMillis / 1000)),
  };
}

/** False for who was turned away for another reason: closed, aborted before its call, connecting. */
function lacksPermit({ closed, partitioner, account }: Partition, { state }: Waiter): boolean {
  const undecided = state === 'waiting' || state === 'calling';
  return undecided && !closed && !partitioner.ledger.canGrant(account);
}

function settingInTheWay({ name, inUse, size, max, partitioner }: Partition): string {
  if (inUse < max) return `max = ${partitioner.max}`;
  return `partitions.${name}.${max === size ? 'size' : 'max'} = ${max}`;
}
