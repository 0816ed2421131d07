/**
 * Judges the three runs. The partitioned run must keep its promises, and the shared run must miss
 * them: a rehearsal in which the shared pool gets through has not reproduced the incident, and
 * then the success of the partitions proves nothing.
 */
import type { ObjectiveResult, RunName, RunResult } from './result.ts';
import { windowsOf } from './scenario.ts';
import type { RehearsedPartitions, Scenario, WorkerWorkload, Workload } from './scenario.ts';
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
    ...arrivals(scenario).map(({ partition }) => starved(options, partition)),
    ...arrivals(scenario).flatMap(({ partition }) => kept(options, partition)),
    ...scenario.workloads
      .filter((workload) => workload.kind === 'workers')
      .map((workload) => servedReports(options, workload)),
    ...runs.map((result) => counted(result, options.max)),
  ];
}

const arrivals = (scenario: Scenario): Workload[] =>
  scenario.workloads.filter(({ kind }) => kind === 'arrivals');

/** The shared run must fail, or the incident was not reproduced. */
function starved({ scenario, runs }: JudgeOptions, partition: string): ObjectiveResult {
  return judged({
    run: 'shared',
    partition,
    name: `${partition} starved: answered in time`,
    unit: 'share',
    got: inTime(of(runs, 'shared', partition)),
    rule: 'below',
    limit: scenario.limits.starvedBelow,
  });
}

/** What the walls promise to everybody but the batch. */
function kept({ scenario, runs }: JudgeOptions, partition: string): ObjectiveResult[] {
  const result = of(runs, 'partitioned', partition);
  const baseline = of(runs, 'baseline', partition);
  const { answeredInTime, p99AgainstBaseline } = scenario.limits;
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

/** The batch keeps what is its own: the reports that its `size` can run while the workers are at it. */
function servedReports(
  { scenario, partitions, runs }: JudgeOptions,
  { partition, holdMillis }: WorkerWorkload,
): ObjectiveResult {
  const millis = windowsOf(scenario, partition).reduce(
    (sum, window) => sum + window.toMillis - window.fromMillis,
    0,
  );
  const possible = ((partitions[partition]?.size ?? 0) * millis) / holdMillis;
  return judged({
    run: 'partitioned',
    partition,
    name: `${partition} reports served`,
    unit: 'count',
    got: of(runs, 'partitioned', partition).served,
    rule: 'at least',
    limit: rounded(possible * scenario.limits.guaranteedReports),
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
