import { defaultLimits, type Scenario } from '../rehearsal/scenario.ts';
import { orders } from './shop.ts';

/**
 * Everyday the shop needs 40/s x 150 ms + 30/s x 100 ms = 9 connections of 20. With the slow plan the
 * searches alone would need 60.
 */
export const slowSearch: Scenario = {
  name: 'slow-search',
  description:
    'A search that took 100 ms takes 2 s, because the database chose a slow plan: the searches pile up and hold every ' +
    'connection of a shared pool. With partitions they fail by themselves, and the orders do not notice.',
  disturbance: 'slow searches',
  max: 20,
  partitions: {
    order: { size: 12, acquireTimeoutMillis: 1_000 },
    search: { size: 8, acquireTimeoutMillis: 1_000 },
  },
  phases: [
    { name: 'calm', durationMillis: 10_000, partitions: ['order', 'search'] },
    {
      name: 'slow plan',
      durationMillis: 50_000,
      partitions: ['order', 'search'],
      holdMillis: { search: 2_000 },
    },
    { name: 'recovery', durationMillis: 20_000, partitions: ['order', 'search'] },
  ],
  workloads: [
    orders,
    {
      kind: 'arrivals',
      partition: 'search',
      ratePerSecond: 30,
      holdMillis: 100,
      answerWithinMillis: 1_000,
      disturbs: true,
    },
  ],
  sharedAcquireTimeoutMillis: 30_000,
  limits: defaultLimits,
};
