import type { RehearsedPartitions, Scenario } from './scenario.ts';

const everyday = ['order', 'search'];

/**
 * The incident: orders and searches together need 80/s x 150 ms = 12 connections of 20; fifteen
 * report workers take fifteen and leave five.
 */
export const monthEnd: Scenario = {
  name: 'month-end',
  phases: [
    { name: 'calm', durationMillis: 10_000, partitions: everyday },
    { name: 'month end', durationMillis: 120_000, partitions: [...everyday, 'batch'] },
    { name: 'recovery', durationMillis: 30_000, partitions: everyday },
  ],
  workloads: [
    {
      kind: 'arrivals',
      partition: 'order',
      ratePerSecond: 40,
      holdMillis: 150,
      answerWithinMillis: 1_000,
    },
    {
      kind: 'arrivals',
      partition: 'search',
      ratePerSecond: 40,
      holdMillis: 150,
      answerWithinMillis: 1_000,
    },
    {
      kind: 'workers',
      partition: 'batch',
      workers: 15,
      holdMillis: 5_000,
      comeBackMillis: 5_000,
    },
  ],
  sharedAcquireTimeoutMillis: 60_000,
  limits: {
    answeredInTime: 0.999,
    p99AgainstBaseline: 1.2,
    guaranteedReports: 0.9,
    starvedBelow: 0.5,
  },
};

/** Connections the pool may open in `month-end`, unless told otherwise. */
export const monthEndMax = 20;

/**
 * The walls of `month-end`. An order or a search waits as long as its answer would still count, a
 * report is refused at once: it comes back by itself.
 */
export const monthEndPartitions: RehearsedPartitions = {
  order: { size: 8, acquireTimeoutMillis: 1_000 },
  search: { size: 8, acquireTimeoutMillis: 1_000 },
  batch: { size: 4, acquireTimeoutMillis: 0 },
};
