import { describe, expect, test } from '@jest/globals';
import { timelinePicture } from '../../cli/timeline-picture.ts';
import { stretchesOf } from '../../cli/timeline-columns.ts';
import type { PartitionTimeline, Rehearsal, RunResult } from '../../rehearsal/index.ts';
import type { PartitionResult } from '../../rehearsal/tally.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { holding } from '../rehearsal/rehearsals.ts';
import { starvedTimeline, timeline } from '../rehearsal/timelines.ts';
import { looks, plain, widest } from './looks.ts';

const picture = (rehearsal: Rehearsal, look = plain): string =>
  timelinePicture({ rehearsal, scenario: monthEnd }, look) ?? '';

/** Holding, with another course of the first run. */
function withShared(changes: Partial<PartitionTimeline>): Rehearsal {
  const [shared, ...others] = holding.runs as [RunResult, ...RunResult[]];
  const partitions = { ...shared.timeline.partitions, order: timeline(changes) };
  return {
    ...holding,
    runs: [{ ...shared, timeline: { ...shared.timeline, partitions } }, ...others],
  };
}

/** The row of orders in the first run. */
const orderRow = (rehearsal: Rehearsal): string =>
  /order {3}answered in time {2}(.*)/.exec(picture(rehearsal))?.[1] ?? '';

const always = (value: number): number[] => Array.from({ length: 226 }, () => value);

describe('the picture of the course', () => {
  test('shows the collapse and the walls at a glance, and can be read without colour', () => {
    expect(picture(holding).split('\n')).toEqual([
      'Over time: █ all, ▄ half, ▁ none, · no request',
      '                            calm                                  recovery',
      '                            │  │ month end                        │       │ end',
      'shared: one shared pool, fewer than half in time from 0:10 on',
      '  order   answered in time  ███▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁·····',
      '  search  answered in time  ███▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁·····',
      '  batch   held, of 20       ···▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▃··············',
      'baseline: partitions, without the reports',
      '  order   answered in time  ███████████████████████████████████████████████·····',
      '  search  answered in time  ███████████████████████████████████████████████·····',
      'partitioned: partitions, with the reports',
      '  order   answered in time  ███████████████████████████████████████████████·····',
      '  search  answered in time  ███████████████████████████████████████████████·····',
      '  batch   held, of 4        ···██████████████████████████████████▄··············',
      '                            0:00     0:30    1:00     1:30     2:00    2:30',
    ]);
  });

  test('begins each row at the same column, also in a run that has only short names', () => {
    const runs = holding.runs.map((run) => {
      const { order } = run.partitions as { order: PartitionResult };
      return run.name === 'baseline' ? { ...run, partitions: { order } } : run;
    });
    const rows = picture({ ...holding, runs }).match(/order .*/g) ?? [];
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  });

  test('shows a starved partition as starved: all are late, or nobody is told anything', () => {
    expect(orderRow(withShared({ late: always(5) }))).toMatch(/^▁+$/);
    expect(orderRow(withShared({ waiting: always(5) }))).toMatch(/^▁+$/);
  });

  test('shows nothing where nobody asks', () => {
    expect(orderRow(withShared({}))).toMatch(/^·+$/);
  });

  test('never shows almost all as all, nor something as nothing', () => {
    const shares: readonly [number, number, RegExp][] = [
      [1_000, 0, /^█+$/],
      [1_000, 1, /^▇+$/],
      [500, 500, /^▄+$/],
      [1, 1_000, /^▂+$/],
    ];
    for (const [inTime, late, expected] of shares) {
      const row = orderRow(withShared({ servedInTime: always(inTime), late: always(late) }));
      expect(row).toMatch(expected);
    }
  });

  test('shows connections held against the limit of the partition in that run', () => {
    const heads = picture(holding).match(/batch .*/g) ?? [];
    expect(heads[0]).toMatch(/^batch {3}held, of 20 {7}·+▆+▃·+$/);
    expect(heads[1]).toMatch(/^batch {3}held, of 4 {8}·+█+▄·+$/);
  });

  test('is never wider than the terminal, and is there at all widths, also with a long name', () => {
    const long = 'a-partition-with-a-very-long-name-indeed';
    const renamed = <V>({ order, ...others }: Readonly<Record<string, V>>): Record<string, V> => ({
      [long]: order as V,
      ...others,
    });
    const runs = holding.runs.map(({ timeline: recorded, ...run }) => ({
      ...run,
      partitions: renamed(run.partitions),
      timeline: { ...recorded, partitions: renamed(recorded.partitions) },
    }));
    for (const rehearsal of [holding, { ...holding, runs }]) {
      const widths = looks.map((look) => ({ look, width: widest(picture(rehearsal, look)) }));
      expect(widths.filter(({ look, width }) => width === 0 || width > look.columns)).toEqual([]);
    }
  });

  test('has shorter words on a narrow terminal, and is left out where nothing could be seen', () => {
    const narrow = picture(holding, { colour: false, columns: 40 });
    expect(narrow).toContain('shared: starved from 0:10 on');
    expect(narrow).toMatch(/order {3}in time {2}█/);
    expect(narrow).toMatch(/batch {3}held\/20 {2}·/);
    expect(narrow).toMatch(/calm +recov…/);
    expect(picture(holding, { colour: false, columns: 34 })).toBe('');
  });

  test('has colour only where it is wanted', () => {
    expect(picture(holding)).not.toContain('\u001B');
    const coloured = picture(holding, { colour: true, columns: 80 });
    expect(coloured).toContain('\u001B[32m███\u001B[39m\u001B[31m▁▁▁');
  });

  test('is left out when a run has no timeline, as in documents of early versions', () => {
    const [first, ...others] = holding.runs as [RunResult, ...RunResult[]];
    const { timeline: recorded, ...without } = first;
    const empty = { ...recorded, connections: [], partitions: {} };
    expect(picture({ ...holding, runs: [without as RunResult, ...others] })).toBe('');
    expect(picture({ ...holding, runs: [{ ...first, timeline: empty }, ...others] })).toBe('');
  });
});

describe('the columns of a picture', () => {
  test.each([225, 172, 52, 18, 1])('%p of them have every request once', (columns) => {
    const stretches = stretchesOf(starvedTimeline, 225, columns);
    const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    expect(stretches).toHaveLength(columns);
    expect(total(stretches.map(({ inTime }) => inTime))).toBe(total(starvedTimeline.servedInTime));
    const { servedInTime, late, timedOut } = starvedTimeline;
    expect(total(stretches.map(({ settled }) => settled))).toBe(
      total(servedInTime) + total(late) + total(timedOut),
    );
  });

  test('have the mean of what is held and waits', () => {
    const recorded = timeline({ inUse: [0, 2, 4, 6, 8], waiting: [0, 0, 10, 0, 0] });
    expect(stretchesOf(recorded, 4, 2)).toMatchObject([
      { inUse: 3, waiting: 5 },
      { inUse: 7, waiting: 0 },
    ]);
  });

  test('have nothing where a run was over earlier than the longest', () => {
    const recorded = timeline({ inUse: [0, 2], servedInTime: [0, 1] });
    expect(stretchesOf(recorded, 4, 2)[1]).toEqual({
      settled: 0,
      inTime: 0,
      waiting: 0,
      inUse: 0,
    });
  });
});
