/**
 * Whether the load generator kept to its schedule. When it was late itself, the machine was busy with
 * something else, and the latencies tell of that and not of the pool. What came out of a run plays no
 * part in it: an unwelcome result is not played until it is a welcome one.
 */
import type { RehearsalClock } from './clock.ts';
import type { RunName, RunResult } from './result.ts';
import type { PlayedRun } from './run.ts';
import type { Scenario } from './scenario.ts';

/** What the p99 of arrival lag may be. */
export type LagBounds = Pick<RunResult, 'lagBoundMillis' | 'voidBoundMillis'>;

const mostAttempts = 3;
/** Timers alone are up to 2 ms late. */
const leastLagBoundMillis = 2.5;
/** So long a busy machine may give a processor to somebody else, and still play the scenario. */
const leastVoidBoundMillis = 10;

/** Of a scaled scenario. */
export function lagBounds(scenario: Scenario, run: RunName): LagBounds {
  const shortestHoldMillis = Math.min(...scenario.workloads.map(({ holdMillis }) => holdMillis));
  const lagBoundMillis = Math.max(leastLagBoundMillis, tolerable(scenario, run));
  // Who is late by a whole hold comes when the one before should be gone: that is another load.
  const voidBoundMillis = Math.max(leastVoidBoundMillis, shortestHoldMillis, lagBoundMillis);
  return { lagBoundMillis, voidBoundMillis };
}

/**
 * A sixth of the shortest hold, as p99 may differ by a fifth. Of the shared run only the share in
 * time is judged: a tenth of the shortest deadline.
 */
function tolerable({ workloads }: Scenario, run: RunName): number {
  const bounds = workloads.map((workload) => {
    if (run !== 'shared') return workload.holdMillis / 6;
    return workload.kind === 'arrivals' ? workload.answerWithinMillis / 10 : Infinity;
  });
  return Math.min(...bounds);
}

export interface Attempts {
  readonly play: () => Promise<PlayedRun>;
  readonly bounds: LagBounds;
  readonly clock: RehearsalClock;
  /** Before it is played again. */
  readonly onLate: (lagMillis: number) => void;
}

/** Plays a run again while it is late. Of all attempts the one with the least lag counts. */
export async function playOnSchedule(options: Attempts): Promise<RunResult> {
  const { play, bounds, clock, onLate } = options;
  const { lagBoundMillis, voidBoundMillis } = bounds;
  const started = clock.now();
  let last = await play();
  let best = last;
  let attempts = 1;
  for (; lagOf(best) > lagBoundMillis && attempts < mostAttempts; attempts++) {
    onLate(lagOf(last));
    last = await play();
    if (lagOf(last) < lagOf(best)) best = last;
  }
  return {
    ...best,
    lagBoundMillis,
    keptSchedule: lagOf(best) <= lagBoundMillis,
    voidBoundMillis,
    void: lagOf(best) > voidBoundMillis,
    attempts,
    tookMillis: Math.round(clock.now() - started),
  };
}

const lagOf = ({ arrivalLagMillis }: PlayedRun): number => arrivalLagMillis.p99;
