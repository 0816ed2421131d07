import { defaultLimits, type Scenario } from '../rehearsal/scenario.ts';
import { orders, searches } from './shop.ts';

/**
 * Four workers forget a connection after every third job, which is one in less than a second: before
 * the phase is half over, a shared pool of 20 has none left.
 */
export const leakyClient: Scenario = {
  name: 'leaky-client',
  description:
    'A code path of the batch forgets to release its connection. A shared pool runs dry and stays dry until the ' +
    'service is restarted; with partitions the batch loses its own four connections and nobody else any.',
  disturbance: 'leaking jobs',
  max: 20,
  partitions: {
    order: { size: 8, acquireTimeoutMillis: 1_000 },
    search: { size: 8, acquireTimeoutMillis: 1_000 },
    batch: { size: 4, acquireTimeoutMillis: 0 },
  },
  phases: [
    { name: 'calm', durationMillis: 10_000, partitions: ['order', 'search'] },
    { name: 'leak', durationMillis: 60_000, partitions: ['order', 'search', 'batch'] },
    { name: 'aftermath', durationMillis: 20_000, partitions: ['order', 'search'] },
  ],
  workloads: [
    orders,
    searches,
    {
      kind: 'workers',
      partition: 'batch',
      workers: 4,
      holdMillis: 1_000,
      comeBackMillis: 1_000,
      leak: { afterReports: 3 },
    },
  ],
  sharedAcquireTimeoutMillis: 30_000,
  limits: defaultLimits,
};
