import { monthEnd } from '../../rehearsal/index.ts';
import { judge } from '../../rehearsal/objectives.ts';
import type { Rehearsal, RunName, RunResult } from '../../rehearsal/result.ts';
import type { PartitionResult } from '../../rehearsal/tally.ts';
import type { Timeline } from '../../rehearsal/timeline.ts';
import { finishedRun } from './finished-run.ts';
import { calmTimeline, reportsTimeline, starvedTimeline, timelineOf } from './timelines.ts';

/** Of 1,000 requests so many in time and so many that timed out, at a tenth of the time. */
export const requests = (
  servedInTime: number,
  timedOut: number,
  p99: number,
  p50 = 16,
): PartitionResult => ({
  offered: 1_000,
  served: 1_000 - timedOut,
  servedInTime,
  refused: 0,
  timedOut,
  failed: 0,
  answerWithinMillis: 100,
  latencyMillis: { p50, p95: p99, p99, max: p99 },
});

const reports = (served: number): PartitionResult => ({
  offered: 120,
  served,
  servedInTime: served,
  refused: 120 - served,
  timedOut: 0,
  failed: 0,
  latencyMillis: { p50: 500, p95: 501, p99: 502, max: 502 },
});

const run = (
  name: RunName,
  partitions: RunResult['partitions'],
  timelines: Timeline['partitions'],
): RunResult => finishedRun(name, { partitions, timeline: timelineOf(timelines) });

const good = requests(1_000, 0, 18);
const starved = requests(65, 80, 6_015, 4_050);

/** A rehearsal in which the orders of the run with partitions, and all of the shared pool, fared like this. */
export function rehearsalWith(
  order: PartitionResult,
  shared: PartitionResult = starved,
): Rehearsal {
  const runs = [
    run(
      'shared',
      { order: shared, search: shared, batch: reports(120) },
      { order: starvedTimeline, search: starvedTimeline, batch: reportsTimeline(15, 0) },
    ),
    run('baseline', { order: good, search: good }, { order: calmTimeline, search: calmTimeline }),
    run(
      'partitioned',
      { order, search: good, batch: reports(96) },
      { order: calmTimeline, search: calmTimeline, batch: reportsTimeline(4, 2) },
    ),
  ];
  const objectives = judge({ scenario: monthEnd, partitions: monthEnd.partitions, max: 20, runs });
  return {
    scenario: 'month-end',
    disturbance: monthEnd.disturbance,
    driver: 'pg',
    server: 'PostgreSQL 18.4',
    timeScale: 0.1,
    max: 20,
    partitions: monthEnd.partitions,
    runs,
    objectives,
    void: false,
    met: objectives.every(({ met }) => met),
  };
}

/** The same on a machine that was too busy in this run. */
export function voided(rehearsal: Rehearsal, busy: RunName = 'baseline'): Rehearsal {
  const arrivalLagMillis = { p50: 2, p95: 18, p99: 31.24, max: 60 };
  const late = { arrivalLagMillis, keptSchedule: false, void: true, attempts: 3 };
  const runs = rehearsal.runs.map((each) => (each.name === busy ? { ...each, ...late } : each));
  return { ...rehearsal, runs, void: true, met: false };
}

export const holding: Rehearsal = rehearsalWith(good);
export const broken: Rehearsal = rehearsalWith(requests(264, 200, 120));
/** The shared pool got through as well. */
export const harmless: Rehearsal = rehearsalWith(good, good);
