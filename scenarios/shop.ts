import type { ArrivalWorkload } from '../rehearsal/scenario.ts';

/** The shop's everyday: 40/s x 150 ms are 6 connections. */
export const orders: ArrivalWorkload = {
  kind: 'arrivals',
  partition: 'order',
  ratePerSecond: 40,
  holdMillis: 150,
  answerWithinMillis: 1_000,
};

/** As many as orders, and as long. */
export const searches: ArrivalWorkload = { ...orders, partition: 'search' };
