import { describe, expect, test } from '@jest/globals';
import { report } from '../../cli/final-report.ts';
import { frame } from '../../cli/live-reporter.ts';
import { plainReporter } from '../../cli/plain-reporter.ts';
import { table } from '../../cli/table.ts';
import { bar, clip, duration, lookOf, paint, percent, wrap } from '../../cli/text.ts';
import { objectiveLines, verdict } from '../../cli/verdict.ts';
import type { Rehearsal } from '../../rehearsal/index.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { judge } from '../../rehearsal/objectives.ts';
import type { RunName, RunResult } from '../../rehearsal/result.ts';
import type { PartitionResult } from '../../rehearsal/tally.ts';

const plain = { colour: false, columns: 80 };
const lineLengths = (text: string): number[] => text.split('\n').map((line) => line.length);

const request = (
  servedInTime: number,
  timedOut: number,
  p50: number,
  p99: number,
): PartitionResult => ({
  offered: 6_400,
  served: 6_400 - timedOut,
  servedInTime,
  refused: 0,
  timedOut,
  failed: 0,
  answerWithinMillis: 100,
  latencyMillis: { p50, p95: p99, p99, max: p99 },
});
const reports = (offered: number, served: number): PartitionResult => ({
  offered,
  served,
  servedInTime: served,
  refused: offered - served,
  timedOut: 0,
  failed: 0,
  latencyMillis: { p50: 500, p95: 501, p99: 502, max: 502 },
});
const run = (name: RunName, partitions: RunResult['partitions']): RunResult => ({
  name,
  partitions,
  serverPeak: 20,
  arrivalLagMillis: { p50: 0.5, p95: 1, p99: 1.5, max: 3 },
  lagBoundMillis: name === 'shared' ? 10 : 2.5,
  keptSchedule: true,
  voidBoundMillis: 15,
  void: false,
  attempts: 1,
  tookMillis: 16_500,
  timeline: { everyMillis: 80, connections: [], partitions: {} },
});

function rehearsal(partitioned: PartitionResult, shared: PartitionResult): Rehearsal {
  const good = request(6_400, 0, 16, 17.6);
  const runs = [
    run('shared', { order: shared, search: shared, batch: reports(360, 360) }),
    run('baseline', { order: good, search: good }),
    run('partitioned', { order: partitioned, search: good, batch: reports(360, 96) }),
  ];
  const objectives = judge({ scenario: monthEnd, partitions: monthEnd.partitions, max: 20, runs });
  const met = objectives.every((objective) => objective.met);
  const server = 'PostgreSQL 18.4';
  const { name: scenario, disturbance } = monthEnd;
  const played = { runs, objectives, void: false, met };
  return { scenario, disturbance, driver: 'pg', server, timeScale: 0.1, max: 20, ...played };
}

const starved = request(421, 487, 4_050, 6_015);
const holding = rehearsal(request(6_400, 0, 16, 18), starved);
const broken = rehearsal(request(1_695, 1_292, 110, 120), starved);
const harmless = rehearsal(request(6_400, 0, 16, 18), request(6_400, 0, 16, 18));

describe('the table', () => {
  test('shows the difference at a glance, in the time of the story', () => {
    expect(table(holding, plain)).toBe(
      [
        '                 in time    offered  refused  timed out  failed     p50     p99',
        'shared: one pool for everybody           the server counted 20 of 20 connections',
        '  order   █░░░░░   6.5 %   421/6400        0        487       0  40.5 s  60.1 s',
        '  search  █░░░░░   6.5 %   421/6400        0        487       0  40.5 s  60.1 s',
        '  batch                -    360/360        0          0       0   5.0 s   5.0 s',
        'baseline: partitions, no reports         the server counted 20 of 20 connections',
        '  order   ██████   100 %  6400/6400        0          0       0  160 ms  176 ms',
        '  search  ██████   100 %  6400/6400        0          0       0  160 ms  176 ms',
        'partitioned: partitions and reports      the server counted 20 of 20 connections',
        '  order   ██████   100 %  6400/6400        0          0       0  160 ms  180 ms',
        '  search  ██████   100 %  6400/6400        0          0       0  160 ms  176 ms',
        '  batch                -     96/360      264          0       0   5.0 s   5.0 s',
      ].join('\n'),
    );
  });

  test.each([80, 72, 60])('fits into %p columns', (columns) => {
    const text = table(holding, { colour: false, columns });
    expect(Math.max(...lineLengths(text))).toBeLessThanOrEqual(columns);
    expect(text).toContain('timed out');
  });

  test('has colour only where it is wanted', () => {
    expect(table(holding, plain)).not.toContain('\u001B');
    const coloured = table(holding, { colour: true, columns: 80 });
    expect(coloured).toContain('\u001B[31m');
    expect(coloured).toContain('\u001B[32m');
  });
});

describe('the report', () => {
  test('tells the seed with which the same arrivals come again, when some were random', () => {
    expect(report({ ...holding, seed: 7 }, plain)).toContain('The same arrivals again: --seed 7.');
    expect(report(holding, plain)).not.toContain('seed');
  });

  test('names what the scenario says goes wrong', () => {
    const text = report({ ...holding, disturbance: 'retries' }, plain).replaceAll('\n', ' ');
    expect(text).toContain('baseline: partitions, no retries');
    expect(text).toContain('partitioned: partitions and retries');
    expect(text).toContain('answered in time while the retries ran');
    expect(text).not.toContain('reports ran');
  });

  test('says when the machine was too busy for reliable figures', () => {
    expect(report(holding, plain)).not.toContain('with care');
    const runs = holding.runs.map((each) => ({ ...each, keptSchedule: false }));
    expect(report({ ...holding, runs }, plain)).toContain(
      'Take these figures with care: the machine was busy',
    );
  });
});

describe('the verdict', () => {
  const oneLine = (text: string): string => text.replaceAll('\n', ' ');

  test('says that the walls hold, and against what', () => {
    expect(oneLine(verdict(holding, plain))).toBe(
      'The walls hold: with partitions order 100 %, search 100 % answered in time while the reports ' +
        'ran, from one shared pool of the same 20 connections order 6.5 %, search 6.5 %.',
    );
  });

  test('names every objective that was missed, got and wanted', () => {
    expect(oneLine(verdict(broken, plain))).toBe(
      'The walls do not hold: order answered in time 26.4 %, wanted at least 99.9 %; ' +
        'order refused, timed out or failed 1,292, wanted at most 0; ' +
        'order p99 against baseline 6.82x, wanted at most 1.20x.',
    );
  });

  test('says that nothing was proved when the shared pool got through', () => {
    expect(oneLine(verdict(harmless, plain))).toMatch(
      /^This rehearsal proved nothing: the shared pool did not starve .*100 %, wanted below 50 %/,
    );
  });

  test('tells a partition that is too small from a wall that is missing', () => {
    const small = request(300, 2_600, 110, 120);
    const runs = broken.runs.map((each) =>
      each.name === 'baseline' ? run('baseline', { ...each.partitions, order: small }) : each,
    );
    expect(oneLine(verdict({ ...broken, runs }, plain))).toMatch(
      /Too small for its own load, also without the reports: order\.$/,
    );
  });

  test.each([holding, broken, harmless])('and the objectives fit into 80 columns', (result) => {
    const text = `${objectiveLines(result, plain)}\n${verdict(result, plain)}`;
    expect(Math.max(...lineLengths(text))).toBeLessThanOrEqual(80);
  });

  test('marks each objective', () => {
    const lines = objectiveLines(broken, plain).split('\n');
    expect(lines.filter((line) => line.startsWith('  ✗'))).toHaveLength(3);
    expect(lines[0]).toBe(
      '  ✓ shared: order starved: answered in time             6.5 %  (below 50 %)',
    );
  });
});

describe('progress', () => {
  const tick = {
    run: 'shared',
    phase: 'month end',
    elapsedMillis: 8_000,
    totalMillis: 16_000,
    connections: 20,
    partitions: {
      order: { offered: 3_200, served: 400, servedInTime: 390, lost: 0, waiting: 2_795, inUse: 5 },
      batch: { offered: 150, served: 135, servedInTime: 135, lost: 0, waiting: 0, inUse: 15 },
    },
  } as const;

  test('on a terminal is a line for each partition', () => {
    expect(frame(tick, 20, { colour: false, columns: 100 })).toEqual([
      '    ████████░░░░░░░░ month end, 8 s left, 20 of 20 connections',
      '    order  in use  5  waiting 2,795  in time   390  late    10  lost     0',
      '    batch  in use 15  waiting     0  in time   135  late     0  lost     0',
    ]);
  });

  test.each([20, 40, 79])('is never wider than a terminal of %p columns', (columns) => {
    const lines = frame(tick, 20, { colour: false, columns });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns);
  });

  test('in a pipe is a line for each phase', () => {
    let said = '';
    const reporter = plainReporter((text) => (said += text));
    const { disturbance } = monthEnd;
    reporter.progress({ kind: 'run started', run: 'shared', index: 0, of: 3, disturbance });
    for (const phase of ['calm', 'calm', 'month end', 'month end']) {
      reporter.progress({ kind: 'tick', ...tick, phase });
    }
    reporter.progress({
      kind: 'run repeated',
      run: 'shared',
      lagMillis: 7.25,
      boundMillis: 2.5,
    });
    reporter.progress({ kind: 'run finished', run: holding.runs[0] as RunResult });
    expect(said.split('\n')).toEqual([
      '1/3 shared: one shared pool',
      '    calm',
      '    month end',
      '    once more: the machine was busy, arrivals were 7.3 ms late at p99 (at most 2.5 ms)',
      '    done: order 6.5 % in time, search 6.5 % in time, batch served 360',
      '',
    ]);
  });
});

describe('figures', () => {
  test('never round almost all to all, nor something to nothing', () => {
    expect([1, 0.99999, 0.999, 0.5, 0.0001, 0].map(percent)).toEqual([
      '100 %',
      '99.9 %',
      '99.9 %',
      '50 %',
      '< 0.1 %',
      '0 %',
    ]);
    expect([1, 0.9999, 0.5, 0.0001, 0].map((share) => bar(share, 4))).toEqual([
      '████',
      '███░',
      '██░░',
      '█░░░',
      '░░░░',
    ]);
  });

  test('have units', () => {
    expect([0, 16.4, 999.4, 999.6, 60_150].map(duration)).toEqual([
      '0 ms',
      '16 ms',
      '999 ms',
      '1.0 s',
      '60.1 s',
    ]);
  });

  test('fit: text is clipped and wrapped', () => {
    expect([clip('abcdef', 4), clip('abc', 4)]).toEqual(['abc…', 'abc']);
    expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour');
  });
});

describe('colour', () => {
  test.each<[object, NodeJS.ProcessEnv, boolean]>([
    [{ isTTY: true, columns: 100 }, {}, true],
    [{ isTTY: true, columns: 100 }, { NO_COLOR: '1' }, false],
    [{ isTTY: true, columns: 100 }, { NO_COLOR: '' }, true],
    [{ isTTY: true, columns: 100 }, { TERM: 'dumb' }, false],
    [{}, {}, false],
  ])('on %p with %p: %p', (stream, env, colour) => {
    const look = lookOf(stream, env);
    expect(look.colour).toBe(colour);
    expect(paint(look, 'red', 'x')).toBe(colour ? '\u001B[31mx\u001B[39m' : 'x');
  });
});
