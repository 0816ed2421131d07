import { expect } from '@jest/globals';
import { monthEnd, rehearse } from '../../rehearsal/library/index.ts';
import type { RehearsalResult, RehearseOptions, Scenario } from '../../rehearsal/library/index.ts';
import { rejection } from '../support/pg.ts';

export { partitions } from './incident.ts';

/** A quarter of a second for each run: what comes out is not judged. */
const short: Scenario = {
  ...monthEnd,
  phases: [{ name: 'month end', durationMillis: 5_000, partitions: ['order', 'search', 'batch'] }],
};

export const playShort = (options: RehearseOptions): Promise<RehearsalResult> =>
  rehearse(short, { timeScale: 0.05, ...options });

export async function refusal(played: Promise<unknown>): Promise<string> {
  const error = await rejection(played);
  expect(error.code).toBe('ERR_REHEARSAL_OPTION');
  return error.message;
}
