import { defaultLimits, type Scenario } from '../rehearsal/scenario.ts';
import { orders, searches } from './shop.ts';

const everyday = ['order', 'search'];

/**
 * Orders and searches together need 80/s x 150 ms = 12 connections of 20; fifteen report workers
 * take fifteen and leave five.
 *
 * An order or a search waits as long as its answer would still count, a report is refused at once:
 * it comes back by itself.
 */
export const monthEnd: Scenario = {
  name: 'month-end',
  description:
    'Fifteen reports that hold their connections for minutes leave five of twenty for a shop that needs twelve. ' +
    'A partition of four gives the batch its share, and no more.',
  disturbance: 'reports',
  max: 20,
  partitions: {
    order: { size: 8, acquireTimeoutMillis: 1_000 },
    search: { size: 8, acquireTimeoutMillis: 1_000 },
    batch: { size: 4, acquireTimeoutMillis: 0 },
  },
  phases: [
    { name: 'calm', durationMillis: 10_000, partitions: everyday },
    { name: 'month end', durationMillis: 120_000, partitions: [...everyday, 'batch'] },
    { name: 'recovery', durationMillis: 30_000, partitions: everyday },
  ],
  workloads: [
    orders,
    searches,
    {
      kind: 'workers',
      partition: 'batch',
      workers: 15,
      holdMillis: 5_000,
      comeBackMillis: 5_000,
    },
  ],
  sharedAcquireTimeoutMillis: 60_000,
  limits: defaultLimits,
};
