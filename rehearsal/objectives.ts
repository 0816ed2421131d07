/**
 * Judges the three runs. The partitioned run must keep its promises, and the shared run must miss
 * them: a rehearsal in which the shared pool gets through has not reproduced the incident, and
 * then the success of the partitions proves nothing.
 */
import type { ObjectiveResult, RunName, RunResult } from './result.ts';
import { windowsOf } from './scenario.ts';
import type { RehearsedPartitions, Scenario, WorkerWorkload } from './scenario.ts';
import type { PartitionResult } from './tally.ts';

export interface JudgeOptions {
  readonly scenario: Scenario;
  readonly partitions: RehearsedPartitions;
  readonly max: number;
  readonly runs: readonly RunResult[];
}

export function judge(options: JudgeOptions): ObjectiveResult[] {
  const { scenario, runs, max } = options;
  const shared = run(runs, 'shared');
  const partitioned = run(runs, 'partitioned');
  const baseline = run(runs, 'baseline');
  const { limits } = scenario;
  const objectives: ObjectiveResult[] = [];
  for (const workload of scenario.workloads) {
    const { partition } = workload;
    if (workload.kind === 'workers') {
      objectives.push(keptShare(options, workload, partitioned));
      continue;
    }
    const asked = of(partitioned, partition);
    const calm = of(baseline, partition);
    objectives.push(
      starved(partition, of(shared, partition), limits.starvedBelow),
      objective('partitioned', partition, 'answered in time', 'at least', {
        got: inTime(asked),
        limit: limits.answeredInTime,
      }),
      objective('partitioned', partition, 'not served', 'at most', {
        got: asked.offered - asked.served,
        limit: 0,
      }),
      objective('partitioned', partition, 'p99 against baseline', 'at most', {
        got: ratio(asked.latencyMillis.p99, calm.latencyMillis.p99),
        limit: limits.p99AgainstBaseline,
      }),
    );
  }
  objectives.push(...runs.map(({ name, serverPeak }) => counted(name, serverPeak, max)));
  return objectives.toSorted((a, b) => order.indexOf(a.run) - order.indexOf(b.run));
}

const order: readonly RunName[] = ['shared', 'baseline', 'partitioned'];

function starved(partition: string, result: PartitionResult, limit: number): ObjectiveResult {
  return objective('shared', partition, 'starved: answered in time', 'below', {
    got: inTime(result),
    limit,
  });
}

/** Reports that the guaranteed `size` alone can run while the workers are at it. */
function keptShare(
  { scenario, partitions }: JudgeOptions,
  { partition, holdMillis }: WorkerWorkload,
  partitioned: RunResult,
): ObjectiveResult {
  const millis = windowsOf(scenario, partition).reduce(
    (sum, window) => sum + window.toMillis - window.fromMillis,
    0,
  );
  const possible = ((partitions[partition]?.size ?? 0) * millis) / holdMillis;
  return objective('partitioned', partition, 'reports served', 'at least', {
    got: of(partitioned, partition).served,
    limit: rounded(possible * scenario.limits.guaranteedReports),
  });
}

/** A count of 0 would mean that the server does not see this run at all: then it testifies nothing. */
function counted(name: RunName, serverPeak: number, max: number): ObjectiveResult {
  const met = serverPeak > 0 && serverPeak <= max;
  return { run: name, name: 'server peak', rule: 'at most', got: serverPeak, limit: max, met };
}

const holds: Readonly<Record<ObjectiveResult['rule'], (got: number, limit: number) => boolean>> = {
  'at least': (got, limit) => got >= limit,
  'at most': (got, limit) => got <= limit,
  below: (got, limit) => got < limit,
};

function objective(
  runName: RunName,
  partition: string,
  what: string,
  rule: ObjectiveResult['rule'],
  { got, limit }: { got: number | null; limit: number },
): ObjectiveResult {
  const met = got !== null && holds[rule](got, limit);
  return { run: runName, partition, name: `${partition} ${what}`, rule, got, limit, met };
}

const inTime = ({ offered, servedInTime }: PartitionResult): number | null =>
  ratio(servedInTime, offered);

/** Null when there is nothing to compare with, which meets no objective. */
function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

/** Free of binary noise, and fine enough that no missed limit is rounded into a met one. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

function run(runs: readonly RunResult[], name: RunName): RunResult {
  const found = runs.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no run ${name}`);
  return found;
}

function of(result: RunResult, partition: string): PartitionResult {
  const found = result.partitions[partition];
  if (found === undefined) throw new Error(`no partition ${partition} in run ${result.name}`);
  return found;
}
