import type { PartitionerStats } from '../../src/partitioner.ts';
import type { PartitionCounters, PartitionGauges } from '../../src/stats.ts';

/** One partition, over all servers. A time is the longest of them. */
export interface PartitionTotals {
  readonly gauges: PartitionGauges;
  readonly counters: Omit<PartitionCounters, 'abortedByReason'>;
}

/** A frozen snapshot. */
export interface PartitionedStats {
  /** By address: each server has connections of its own, divided alike. */
  readonly servers: Readonly<Record<string, PartitionerStats>>;
  /** The sums over the servers that there are now, by partition. */
  readonly totals: Readonly<Record<string, PartitionTotals>>;
}

export function statsOf(
  gates: Iterable<{
    readonly address: string;
    readonly partitioner: { stats(): PartitionerStats };
  }>,
  names: readonly string[],
): PartitionedStats {
  const all = Array.from(gates, (gate) => [gate.address, gate.partitioner.stats()] as const);
  const totals = names.map((name) => [
    name,
    totalOf(
      name,
      all.map(([, stats]) => stats),
    ),
  ]);
  return Object.freeze({
    servers: Object.freeze(Object.fromEntries(all)),
    totals: Object.freeze(Object.fromEntries(totals)),
  });
}

const GAUGES = ['size', 'max', 'inUse', 'waiting', 'available', 'oldestWaitMillis'] as const;
const COUNTERS = [
  ...(['requested', 'granted', 'refused', 'timedOut', 'aborted', 'failed', 'closed'] as const),
  'contextFallbacks' as const,
];

function totalOf(name: string, all: readonly PartitionerStats[]): PartitionTotals {
  const partitions = all.map((stats) => stats.partitions[name]).filter((one) => one !== undefined);
  const gauges = sums(
    GAUGES,
    partitions.map((one) => one.gauges),
  );
  const longest = Math.max(0, ...partitions.map((one) => one.gauges.oldestWaitMillis));
  return Object.freeze({
    gauges: Object.freeze({ ...gauges, oldestWaitMillis: longest }),
    counters: Object.freeze(
      sums(
        COUNTERS,
        partitions.map((one) => one.counters),
      ),
    ),
  });
}

function sums<Key extends string>(
  keys: readonly Key[],
  all: readonly Readonly<Record<Key, number>>[],
): Record<Key, number> {
  const entries = keys.map((key) => [key, all.reduce((total, one) => total + one[key], 0)]);
  return Object.fromEntries(entries) as Record<Key, number>;
}
