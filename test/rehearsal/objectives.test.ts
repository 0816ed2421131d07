import { describe, expect, test } from '@jest/globals';
import { monthEnd } from '../../scenarios/month-end.ts';
import { judge } from '../../rehearsal/objectives.ts';
import type { RunName, RunResult } from '../../rehearsal/result.ts';
import type { Leak, Workload } from '../../rehearsal/scenario.ts';
import type { PartitionResult } from '../../rehearsal/tally.ts';
import { finishedRun } from './finished-run.ts';

const figures = (offered: number, servedInTime: number, p99: number): PartitionResult => ({
  offered,
  served: servedInTime,
  servedInTime,
  refused: 0,
  timedOut: offered - servedInTime,
  failed: 0,
  latencyMillis: { p50: 16, p95: 17, p99, max: p99 },
});

type Partitions = RunResult['partitions'];

const run = (name: RunName, partitions: Partitions, serverPeak = 20): RunResult =>
  finishedRun(name, {
    partitions,
    serverPeak,
    timeline: { everyMillis: 80, connections: [], partitions: {} },
  });

const good = figures(6_400, 6_400, 18);
const starved = figures(6_400, 420, 6_000);
const batch = figures(360, 96, 500);

interface Given {
  shared?: PartitionResult;
  baseline?: PartitionResult;
  partitioned?: PartitionResult;
  reports?: PartitionResult;
  peak?: number;
}

function missed(given: Given): string[] {
  const { shared = starved, baseline = good, partitioned = good, reports = batch } = given;
  const runs = [
    run('shared', { order: shared, search: starved, batch }),
    run('baseline', { order: baseline, search: good }),
    run('partitioned', { order: partitioned, search: good, batch: reports }, given.peak ?? 20),
  ];
  return judge({ scenario: monthEnd, partitions: monthEnd.partitions, max: 20, runs })
    .filter(({ met }) => !met)
    .map(({ run: of, name, got, rule, limit }) => `${of}: ${name} ${got} (${rule} ${limit})`);
}

describe('the objectives', () => {
  test('are all met when the walls hold and the shared pool starves', () => {
    expect(missed({})).toEqual([]);
  });

  test('want 99.9 % in time and not one request lost', () => {
    expect(missed({ partitioned: figures(6_400, 6_393, 18) })).toEqual([
      'partitioned: order answered in time 0.998906 (at least 0.999)',
      'partitioned: order refused, timed out or failed 7 (at most 0)',
    ]);
    expect(missed({ partitioned: figures(6_400, 6_399, 18) })).toEqual([
      'partitioned: order refused, timed out or failed 1 (at most 0)',
    ]);
  });

  test('do not round a missed share into a met one', () => {
    expect(missed({ partitioned: figures(1_000_000, 998_999, 18) })[0]).toContain('0.998999');
  });

  test('compare p99 with the same load without the batch', () => {
    expect(missed({ partitioned: figures(6_400, 6_400, 21.6) })).toEqual([]);
    expect(missed({ partitioned: figures(6_400, 6_400, 21.7) })).toEqual([
      'partitioned: order p99 against baseline 1.205556 (at most 1.2)',
    ]);
  });

  test('are not met by a baseline with which nothing can be compared', () => {
    expect(missed({ baseline: figures(6_400, 0, 0) })).toEqual([
      'partitioned: order p99 against baseline null (at most 1.2)',
    ]);
  });

  test('want nine tenths of the reports that the guaranteed size can run', () => {
    expect(missed({ reports: figures(360, 87, 500) })).toEqual([]);
    expect(missed({ reports: figures(360, 86, 500) })).toEqual([
      'partitioned: batch reports served 86 (at least 86.4)',
    ]);
  });

  test('want no more connections than max by the count of the server', () => {
    expect(missed({ peak: 21 })).toEqual([
      'partitioned: connections the server counted 21 (at most 20)',
    ]);
  });

  test('take a server that sees no connection for no witness', () => {
    expect(missed({ peak: 0 })).toEqual([
      'partitioned: connections the server counted null (at most 20)',
    ]);
  });

  test('are missed by a shared pool that gets through: then nothing was reproduced', () => {
    expect(missed({ shared: figures(6_400, 3_200, 18) })).toEqual([
      'shared: order starved: answered in time 0.5 (below 0.5)',
    ]);
  });
});

describe('the limits of a workload', () => {
  const names = (changes: (workload: Workload) => Workload): string[] => {
    const scenario = { ...monthEnd, workloads: monthEnd.workloads.map(changes) };
    const runs = [
      run('shared', { order: starved, search: starved, batch }),
      run('baseline', { order: good, search: good }),
      run('partitioned', { order: good, search: good, batch }),
    ];
    return judge({ scenario, partitions: monthEnd.partitions, max: 20, runs })
      .filter(({ partition }) => partition !== 'search')
      .map(({ run: of, name, rule, limit }) => `${of}: ${name} (${rule} ${limit})`);
  };

  test('count before those of the scenario, for its partition only', () => {
    const own = names((workload) =>
      workload.kind === 'workers'
        ? { ...workload, limits: { guaranteedReports: 0.5 } }
        : {
            ...workload,
            limits: { answeredInTime: 0.9, p99AgainstBaseline: 2, starvedBelow: 0.3 },
          },
    );
    expect(own.slice(0, 5)).toEqual([
      'shared: order starved: answered in time (below 0.3)',
      'partitioned: order answered in time (at least 0.9)',
      'partitioned: order refused, timed out or failed (at most 0)',
      'partitioned: order p99 against baseline (at most 2)',
      'partitioned: batch reports served (at least 48)',
    ]);
  });

  test('want of a batch that leaks only what it can run until it has leaked everything', () => {
    const leaking = (leak: Leak): string[] =>
      names((workload) => (workload.kind === 'workers' ? { ...workload, leak } : workload));
    const served = 'partitioned: batch reports served';
    expect(leaking({ afterReports: 5 })).toContain(`${served} (at least 18)`);
    expect(leaking({ share: 0.1 })).toContain(`${served} (at least 36)`);
    expect(leaking({ share: 0.01 })).toContain(`${served} (at least 86.4)`);
  });

  test('promise nothing to arrivals that disturb', () => {
    const disturbing = names((workload) =>
      workload.partition === 'order' ? ({ ...workload, disturbs: true } as Workload) : workload,
    );
    expect(disturbing.filter((line) => line.includes('order'))).toEqual([]);
  });
});
