import { defaultLimits, type Scenario } from '../rehearsal/scenario.ts';
import { orders } from './shop.ts';

/**
 * The campaign wants 30/s x 600 ms = 18 connections while the shop needs 8 of the 20: too much, but
 * only by three tenths. It is the callers who come again that make it hopeless.
 */
export const thunderingRetry: Scenario = {
  name: 'thundering-retry',
  description:
    'Callers of a campaign that got no connection come again at once, up to three times, so that the line never gets ' +
    'shorter. With partitions they can only queue for their own connections, and are told no in good time.',
  disturbance: 'retries',
  max: 20,
  partitions: {
    order: { size: 8, acquireTimeoutMillis: 1_000 },
    checkout: { size: 6, acquireTimeoutMillis: 1_000 },
    campaign: { size: 6, acquireTimeoutMillis: 500, maxWaiting: 20 },
  },
  phases: [
    { name: 'calm', durationMillis: 10_000, partitions: ['order', 'checkout'] },
    { name: 'campaign', durationMillis: 60_000, partitions: ['order', 'checkout', 'campaign'] },
    { name: 'recovery', durationMillis: 20_000, partitions: ['order', 'checkout'] },
  ],
  workloads: [
    orders,
    {
      kind: 'arrivals',
      partition: 'checkout',
      ratePerSecond: 10,
      holdMillis: 200,
      answerWithinMillis: 1_000,
    },
    {
      kind: 'arrivals',
      partition: 'campaign',
      ratePerSecond: 30,
      holdMillis: 600,
      answerWithinMillis: 2_000,
      pattern: 'poisson',
      retry: { afterMillis: 0, times: 3 },
      disturbs: true,
    },
  ],
  sharedAcquireTimeoutMillis: 5_000,
  limits: defaultLimits,
};
