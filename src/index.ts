export { Partitioner, type PartitionerOptions, type PartitionerStats } from './partitioner.ts';
export { type Partition } from './partition.ts';
export { type Lease } from './lease.ts';
export { type AcquireOptions } from './acquire-options.ts';
export { type PartitionDefaults, type PartitionOptions, type PartitionsConfig } from './config.ts';
export { type PartitionCounters, type PartitionGauges, type PartitionStats } from './stats.ts';
export { type Percentiles } from './durations.ts';
export { runIn } from './context.ts';
export * from './errors.ts';
