import type { Report } from '../../../cli/html/report.ts';
import type {
  PartitionResult,
  PartitionTimeline,
  RunName,
  RunResult,
  Scenario,
} from '../../../rehearsal/index.ts';
import { judge } from '../../../rehearsal/objectives.ts';
import { monthEnd } from '../../../scenarios/month-end.ts';
import { finishedRun } from '../../rehearsal/finished-run.ts';
import {
  calmTimeline,
  reportsTimeline,
  starvedTimeline,
  timelineOf,
} from '../../rehearsal/timelines.ts';

const answered: PartitionResult = {
  offered: 6_400,
  served: 6_400,
  servedInTime: 6_400,
  refused: 0,
  timedOut: 0,
  failed: 0,
  answerWithinMillis: 100,
  latencyMillis: { p50: 16, p95: 16.9, p99: 17.8, max: 21.1 },
};
const starved: PartitionResult = {
  ...answered,
  served: 5_910,
  servedInTime: 421,
  timedOut: 487,
  failed: 3,
  latencyMillis: { p50: 4_052, p95: 6_011, p99: 6_023, max: 6_034 },
  firstFailure: 'the server closed the connection',
};
const reports = (served: number): PartitionResult => ({
  offered: 371,
  served,
  servedInTime: served,
  refused: 371 - served,
  timedOut: 0,
  failed: 0,
  latencyMillis: { p50: 501, p95: 502, p99: 503, max: 514 },
});

const run = (
  name: RunName,
  partitions: RunResult['partitions'],
  timelines: Readonly<Record<string, PartitionTimeline>>,
): RunResult => finishedRun(name, { partitions, timeline: timelineOf(timelines) });

/** Month end with partitions that have a name each and nothing else of their own: more than there are textures. */
export function ninePartitions(): Scenario {
  const names = ['cart', 'login', 'stock', 'prices', 'mail', 'reviews'];
  const [order, search, batch] = monthEnd.workloads;
  if (order === undefined || search === undefined || batch === undefined)
    throw new Error('month-end has changed');
  return {
    ...monthEnd,
    phases: monthEnd.phases.map((phase) => ({
      ...phase,
      partitions: [...phase.partitions, ...names],
    })),
    workloads: [order, search, batch, ...names.map((partition) => ({ ...search, partition }))],
  };
}

/** A rehearsal of month-end that went as it goes; a test changes what it wants to see. */
export function fakeReport(scenario: Scenario = monthEnd, server = 'PostgreSQL 18.4'): Report {
  const names = scenario.workloads.map(({ partition }) => partition);
  // What came after the batch fares like the searches.
  const named = <V>(values: readonly V[]): Record<string, V> =>
    Object.fromEntries(
      names.flatMap((name, index) => {
        const value = values[index < 3 ? index : 1];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const runs = [
    run(
      'shared',
      named([starved, starved, reports(360)]),
      named([starvedTimeline, starvedTimeline, reportsTimeline(15, 0)]),
    ),
    run('baseline', named([answered, answered]), named([calmTimeline, calmTimeline])),
    run(
      'partitioned',
      named([answered, answered, reports(96)]),
      named([calmTimeline, calmTimeline, reportsTimeline(4, 2)]),
    ),
  ];
  const partitions = named(Object.values(monthEnd.partitions));
  const objectives = judge({ scenario, partitions, max: 20, runs });
  return {
    rehearsal: {
      scenario: scenario.name,
      disturbance: scenario.disturbance,
      partitions,
      driver: 'pg',
      server,
      timeScale: 0.1,
      max: 20,
      runs,
      objectives,
      void: false,
      met: objectives.every(({ met }) => met),
    },
    scenario,
    partitions,
    version: '1.2.3',
    date: new Date('2026-03-31T17:05:00Z'),
  };
}

/** The same with other words of one run. */
export function withRun(report: Report, name: RunName, changes: Partial<RunResult>): Report {
  const { rehearsal } = report;
  const runs = rehearsal.runs.map((each) => (each.name === name ? { ...each, ...changes } : each));
  return { ...report, rehearsal: { ...rehearsal, runs } };
}
