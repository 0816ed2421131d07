import type { RunName, RunResult } from '../../rehearsal/result.ts';

/** A run in which all went as it is to go, but for what these say. */
export const finishedRun = (
  name: RunName,
  given: Pick<RunResult, 'partitions' | 'timeline'> & Partial<RunResult>,
): RunResult => ({
  name,
  serverPeak: 20,
  arrivalLagMillis: { p50: 0.5, p95: 1.2, p99: 1.7, max: 3.4 },
  lagBoundMillis: name === 'shared' ? 10 : 2.5,
  keptSchedule: true,
  voidBoundMillis: 15,
  void: false,
  attempts: 1,
  tookMillis: 16_500,
  ...given,
});
