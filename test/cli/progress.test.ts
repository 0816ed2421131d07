import { describe, expect, test } from '@jest/globals';
import { introduction } from '../../cli/final-report.ts';
import { liveReporter } from '../../cli/live-reporter.ts';
import { liveView } from '../../cli/live-view.ts';
import { plainReporter } from '../../cli/plain-reporter.ts';
import type { PartitionProgress, RunResult, Tick } from '../../rehearsal/index.ts';
import type { Look } from '../../cli/text.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { holding } from '../rehearsal/rehearsals.ts';
import { looks, widest } from './looks.ts';

const tick: Tick = {
  run: 'shared',
  phase: 'month end',
  elapsedMillis: 8_000,
  totalMillis: 16_000,
  connections: 20,
  partitions: {
    order: {
      offered: 3_200,
      served: 400,
      servedInTime: 390,
      refused: 3,
      timedOut: 47,
      failed: 1,
      waiting: 2_744,
      inUse: 5,
    },
    batch: {
      offered: 162,
      served: 135,
      servedInTime: 135,
      refused: 12,
      timedOut: 0,
      failed: 0,
      waiting: 0,
      inUse: 15,
    },
  },
};
const { max, partitions } = monthEnd;
const rehearsed = { scenario: monthEnd, max, partitions };

describe('progress on a terminal', () => {
  const view = (columns: number, changes: Partial<Tick> = {}): string[] =>
    liveView({ ...tick, ...changes }, rehearsed, { colour: false, columns });

  test('is a line for each partition: what it holds and may hold, who waits, how it went', () => {
    expect(view(80)).toEqual([
      '    ████████░░░░░░░░ month end, 8 s left, 20 of 20 connections',
      '                  in use  waiting  in time   late  refused  timed out  failed',
      '    order  █░░░░░   5/20    2,744      390     10        3         47       1',
      '    batch  ████░░  15/20        0      135      0       12          0       0',
    ]);
  });

  test('measures what is in use against the limit of the partition, where there are walls', () => {
    const [, , order, batch] = view(80, { run: 'partitioned' });
    expect(order).toContain('███░░░    5/8 ');
    expect(batch).toContain('██████   15/4 ');
  });

  test('has no time left while those in line are still settled', () => {
    const draining = { phase: 'draining', elapsedMillis: 17_000 };
    expect(view(80, draining)[0]).toBe('    ████████████████ draining, 20 of 20 connections');
  });

  test('gives up the least important columns first on a narrow terminal', () => {
    const titles = (columns: number): string => view(columns)[1]?.trim().replace(/ +/g, ' ') ?? '';
    expect(titles(72)).toBe('in use waiting in time late refused timed out');
    expect(titles(66)).toBe('in use waiting in time refused timed out');
    expect(titles(56)).toBe('in use waiting in time refused timed out');
    expect(titles(40)).toBe('in use waiting in time');
  });

  test('is always narrower than the terminal, also with a long name', () => {
    const long = {
      'a-partition-with-a-very-long-name-indeed': tick.partitions['order'] as PartitionProgress,
    };
    const tooWide = looks.filter((look) =>
      [tick, { ...tick, partitions: long }].some(
        (each) => widest(liveView(each, rehearsed, look).join('\n')) >= look.columns,
      ),
    );
    expect(tooWide).toEqual([]);
  });

  test('has colour only where it is wanted: red for what is lost of those with a deadline', () => {
    const coloured = (colour: boolean): string[] =>
      liveView(tick, rehearsed, { colour, columns: 80 });
    expect(coloured(false).join('')).not.toContain('\u001B');
    const [, , order, batch] = coloured(true);
    expect(order).toContain('\u001B[31m         47\u001B[39m');
    expect(batch).not.toContain('\u001B[31m');
  });

  test('is drawn over the one before, also after the window became narrower', () => {
    let written = '';
    let columns = 80;
    const write = (text: string): void => void (written = text);
    const look = (): Look => ({ colour: true, columns });
    const reporter = liveReporter({ write, look, rehearsed });
    const upAfterTick = (): string => {
      reporter.progress({ kind: 'tick', ...tick });
      return written.slice(0, written.indexOf('\r'));
    };
    expect(upAfterTick()).toBe('');
    expect(upAfterTick()).toBe('\u001B[4A');
    // The head has 62 columns and takes two lines now, and so do the three others.
    columns = 40;
    expect(upAfterTick()).toBe('\u001B[8A');
    expect(upAfterTick()).toBe('\u001B[4A');
  });
});

describe('progress', () => {
  test('in a pipe has no line of more than 80 columns', () => {
    let said = '';
    const reporter = plainReporter((text) => (said += text));
    const settings = { scenario: monthEnd, max, timeScale: 0.1 };
    reporter.say(introduction('MongoDB 7.0.77 (FerretDB 2.7.0) behind a proxy', settings));
    for (const run of holding.runs) {
      const named = Object.fromEntries(
        Object.entries(run.partitions).map(([name, result]) => [`long-name-of-${name}`, result]),
      );
      reporter.progress({ kind: 'run finished', run: { ...run, partitions: named } });
    }
    expect(said).toContain('behind a proxy, pool of 20; 1 s of\nthe story');
    expect(widest(said)).toBeLessThanOrEqual(80);
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
      '    once more: the machine was busy, arrivals were 7.3 ms late at p99 (at most',
      '    2.5 ms)',
      '    done: order 6.5 % in time, search 6.5 % in time, batch served 120',
      '',
    ]);
  });
});
