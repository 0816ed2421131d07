/**
 * Whether the load generator kept to its schedule. When it was late itself, the machine was busy with
 * something else, and the latencies tell of that and not of the pool. What came out of a run plays no
 * part in it: an unwelcome result is not played until it is a welcome one.
 */
import type { RehearsalClock } from './clock.ts';
import type { ObjectiveResult, RunName, RunResult } from './result.ts';
import type { PlayedRun } from './run.ts';
import type { Scenario } from './scenario.ts';

/** What the p99 of arrival lag may be. */
export type LagBounds = Pick<RunResult, 'lagBoundMillis' | 'voidBoundMillis'>;

export const mostAttempts = 3;
/** Timers alone are up to 2 ms late. */
const leastLagBoundMillis = 2.5;
/** So long a busy machine may give a processor to somebody else, and still play the scenario. */
const leastVoidBoundMillis = 10;

/** Of a scaled scenario. */
export function lagBounds({ workloads }: Scenario, run: RunName): LagBounds {
  const holdMillis = Math.min(...workloads.map((workload) => workload.holdMillis));
  const deadlineMillis = Math.min(
    ...workloads.map((each) => (each.kind === 'arrivals' ? each.answerWithinMillis : Infinity)),
  );
  // Of the shared run only the share in time is judged; of the others the p99, which may differ by
  // a fifth. Who is late by a whole hold comes when the one before should be gone: another load.
  const [tolerable, hopeless] =
    run === 'shared' ? [deadlineMillis / 10, deadlineMillis / 2] : [holdMillis / 6, holdMillis];
  const lagBoundMillis = Math.max(leastLagBoundMillis, tolerable);
  const voidBoundMillis = Math.max(leastVoidBoundMillis, hopeless, lagBoundMillis);
  return { lagBoundMillis, voidBoundMillis };
}

/** Fewer than these in time cannot be the doing of a late generator: somebody starved. */
const shareOfNobodyStarved = 0.9;

/**
 * Whether all that was missed could be the lateness of the generator, which is measured as latency of
 * the pool. A wall that is gone shows otherwise: by those who were refused, timed out or starved.
 */
export function missedByLateness(
  runs: readonly RunResult[],
  objectives: readonly ObjectiveResult[],
): boolean {
  const late = runs.some(({ name, keptSchedule }) => name !== 'shared' && !keptSchedule);
  const missed = objectives.filter(({ met }) => !met);
  const isTiming = ({ run, unit, got }: ObjectiveResult): boolean =>
    run === 'partitioned' &&
    (unit === 'ratio' || (unit === 'share' && (got ?? 0) >= shareOfNobodyStarved));
  return late && missed.length > 0 && missed.every(isTiming);
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
