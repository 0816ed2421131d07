/**
 * Judges the three runs. The partitioned run must keep its promises, and the shared run must miss
 * them: a rehearsal in which the shared pool gets through has not reproduced the incident, and
 * then the success of the partitions proves nothing.
 */
import type { ObjectiveResult, RunName, RunResult } from './result.ts';
import { disturbs, holdIn } from './scenario.ts';
import type { ArrivalWorkload, RehearsedPartitions, Scenario } from './scenario.ts';
import type { WorkerWorkload } from './scenario.ts';
import type { PartitionResult } from './tally.ts';

export interface JudgeOptions {
  readonly scenario: Scenario;
  readonly partitions: RehearsedPartitions;
  readonly max: number;
  readonly runs: readonly RunResult[];
}

export function judge(options: JudgeOptions): ObjectiveResult[] {
  const { scenario, runs } = options;
  return [
    ...disturbed(scenario).map((workload) => starved(options, workload)),
    ...disturbed(scenario).flatMap((workload) => kept(options, workload)),
    ...scenario.workloads
      .filter((workload) => workload.kind === 'workers')
      .map((workload) => servedReports(options, workload)),
    ...runs.map((result) => counted(result, options.max)),
  ];
}

/** Whom the walls are to protect. */
const disturbed = (scenario: Scenario): ArrivalWorkload[] =>
  scenario.workloads.filter(
    (workload): workload is ArrivalWorkload => workload.kind === 'arrivals' && !disturbs(workload),
  );

/** The shared run must fail, or the incident was not reproduced. */
function starved(
  { scenario, runs }: JudgeOptions,
  { partition, limits }: ArrivalWorkload,
): ObjectiveResult {
  return judged({
    run: 'shared',
    partition,
    name: `${partition} starved: answered in time`,
    unit: 'share',
    got: inTime(of(runs, 'shared', partition)),
    rule: 'below',
    limit: limits?.starvedBelow ?? scenario.limits.starvedBelow,
  });
}

/** What the walls promise to everybody who does not disturb. */
function kept(
  { scenario, runs }: JudgeOptions,
  { partition, limits }: ArrivalWorkload,
): ObjectiveResult[] {
  const result = of(runs, 'partitioned', partition);
  const baseline = of(runs, 'baseline', partition);
  const { answeredInTime, p99AgainstBaseline } = { ...scenario.limits, ...limits };
  const where = { run: 'partitioned', partition } as const;
  return [
    judged({
      ...where,
      name: `${partition} answered in time`,
      unit: 'share',
      got: inTime(result),
      rule: 'at least',
      limit: answeredInTime,
    }),
    judged({
      ...where,
      name: `${partition} refused, timed out or failed`,
      unit: 'count',
      got: result.offered - result.served,
      rule: 'at most',
      limit: 0,
    }),
    judged({
      ...where,
      name: `${partition} p99 against baseline`,
      unit: 'ratio',
      got: ratio(result.latencyMillis.p99, baseline.latencyMillis.p99),
      rule: 'at most',
      limit: p99AgainstBaseline,
    }),
  ];
}

/**
 * The batch keeps what is its own: the reports that its `size` can run while the workers are at it,
 * or until they have leaked all of it.
 */
function servedReports(
  { scenario, partitions, runs }: JudgeOptions,
  workload: WorkerWorkload,
): ObjectiveResult {
  const { partition, leak, limits } = workload;
  const reports = scenario.phases
    .filter((phase) => phase.partitions.includes(partition))
    .reduce((sum, phase) => sum + phase.durationMillis / holdIn(phase, workload), 0);
  // Without a leak it is 1 / 0: never.
  const untilLeaked = leak?.afterReports ?? 1 / (leak?.share ?? 0);
  const possible = (partitions[partition]?.size ?? 0) * Math.min(reports, untilLeaked);
  const share = limits?.guaranteedReports ?? scenario.limits.guaranteedReports;
  return judged({
    run: 'partitioned',
    partition,
    name: `${partition} reports served`,
    unit: 'count',
    got: of(runs, 'partitioned', partition).served,
    rule: 'at least',
    limit: rounded(possible * share),
  });
}

/** A count of 0 would mean that the server does not see this run at all: then it testifies nothing. */
function counted({ name: run, serverPeak }: RunResult, max: number): ObjectiveResult {
  const got = serverPeak > 0 ? serverPeak : null;
  return judged({
    run,
    name: 'connections the server counted',
    unit: 'count',
    got,
    rule: 'at most',
    limit: max,
  });
}

const holds: Readonly<Record<ObjectiveResult['rule'], (got: number, limit: number) => boolean>> = {
  'at least': (got, limit) => got >= limit,
  'at most': (got, limit) => got <= limit,
  below: (got, limit) => got < limit,
};

function judged(objective: Omit<ObjectiveResult, 'met'>): ObjectiveResult {
  const { got, rule, limit } = objective;
  return { ...objective, met: got !== null && holds[rule](got, limit) };
}

const inTime = ({ offered, servedInTime }: PartitionResult): number | null =>
  ratio(servedInTime, offered);

/** Null when there is nothing to compare with, which meets no objective. */
function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

/** Free of binary noise, and fine enough that no missed limit is rounded into a met one. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

function of(runs: readonly RunResult[], name: RunName, partition: string): PartitionResult {
  const found = runs.find((each) => each.name === name)?.partitions[partition];
  if (found === undefined) throw new Error(`run ${name} has no partition ${partition}`);
  return found;
}
