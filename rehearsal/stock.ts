import type { PartitionerStats } from '../src/partitioner.ts';
import type { Stock } from './subject.ts';

/** What a pool has, by its own statistics. */
export function stockOf({ max, partitions }: PartitionerStats): Stock {
  const entries = Object.entries(partitions).map(
    ([name, { gauges }]) => [name, { size: gauges.size, max: gauges.max }] as const,
  );
  return { max, partitions: Object.fromEntries(entries) };
}

/** One that was made without partitions has all its connections in one of this name. */
export const isDivided = (stats: PartitionerStats | undefined): boolean =>
  Object.keys(stats?.partitions ?? {}).some((name) => name !== 'default');
