import { fullPlan } from './overhead/plan.ts';

/** Names by which things are chosen; apart, so that choosing needs nothing that is measured. */
export const subjectNames: readonly string[] = [
  ...['minimal', 'watertight', 'async-sema', 'mysql2', 'cockatiel', '@shopify/semaphore'],
  ...['p-limit', 'p-queue', 'generic-pool', 'lightning-pool', 'pg-pool', 'tarn'],
];

export const taskNames: readonly string[] = [
  ...['acquire and release', 'acquire and release, synchronous', 'drain', 'time out', 'abort'],
  'mixed line',
  ...fullPlan.contests.map(({ name }) => name),
];
