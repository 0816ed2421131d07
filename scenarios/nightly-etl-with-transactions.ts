import { defaultLimits, type Scenario } from '../rehearsal/scenario.ts';

/** The service needs 50/s x 120 ms = 6 connections of 16; twelve long transactions leave it four. */
export const nightlyEtl: Scenario = {
  name: 'nightly-etl-with-transactions',
  description:
    'Twelve jobs load data in long transactions, each on one connection from BEGIN to COMMIT. A shared pool of sixteen ' +
    'leaves the service too few; with partitions the load runs on four connections and takes longer.',
  disturbance: 'transactions',
  max: 16,
  partitions: {
    api: { size: 8, acquireTimeoutMillis: 1_000 },
    login: { size: 4, acquireTimeoutMillis: 1_000 },
    etl: { size: 4, acquireTimeoutMillis: 0 },
  },
  phases: [
    { name: 'evening', durationMillis: 10_000, partitions: ['api', 'login'] },
    { name: 'load', durationMillis: 80_000, partitions: ['api', 'login', 'etl'] },
    { name: 'morning', durationMillis: 20_000, partitions: ['api', 'login'] },
  ],
  workloads: [
    {
      kind: 'arrivals',
      partition: 'api',
      ratePerSecond: 50,
      holdMillis: 120,
      answerWithinMillis: 1_000,
    },
    {
      kind: 'arrivals',
      partition: 'login',
      ratePerSecond: 5,
      holdMillis: 200,
      answerWithinMillis: 1_000,
    },
    {
      kind: 'workers',
      partition: 'etl',
      workers: 12,
      holdMillis: 8_000,
      comeBackMillis: 4_000,
      transaction: true,
    },
  ],
  sharedAcquireTimeoutMillis: 30_000,
  limits: defaultLimits,
};
