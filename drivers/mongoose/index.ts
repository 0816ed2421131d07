export { partitionClient } from './partition-client.ts';
export { partitionConnection, type AnyConnection } from './partition-connection.ts';
export { type Partitioned } from './partitioned.ts';
export { type PartitionedOptions } from './config.ts';
export { type PartitionedStats, type PartitionTotals } from './stats.ts';
export { UnsupportedDriverError } from './driver.ts';
export { type EndOptions } from '../shared/end.ts';
