import { describe, expect, test } from '@jest/globals';
import { collapseOf } from '../../cli/collapse.ts';
import { timeAxis } from '../../cli/time-axis.ts';
import type { PartitionTimeline, RunResult } from '../../rehearsal/index.ts';
import { fakeReport } from './html/fake-report.ts';

const report = fakeReport();
const axis = timeAxis(report);
const template = report.rehearsal.runs[1] as RunResult;
const calm = template.timeline.partitions['order'] as PartitionTimeline;

/** From one moment to before another, each 0.8 s of the story, nobody is answered in time. */
function starving(...stretches: readonly (readonly [number, number])[]): RunResult {
  const starves = (moment: number): boolean =>
    stretches.some(([from, to]) => from <= moment && moment < to);
  const order = {
    ...calm,
    servedInTime: calm.servedInTime.map((value, moment) => (starves(moment) ? 0 : value)),
    late: calm.late.map((value, moment) => (starves(moment) ? 10 : value)),
  };
  return { ...template, timeline: { ...template.timeline, partitions: { order } } };
}

describe('a collapse', () => {
  test('begins with the first interval in which fewer than half are answered in time, and ends with the last', () => {
    // Interval 49 lies between the moments 48 and 49: it begins at 48 x 0.8 s.
    const found = collapseOf(starving([49, 99]), axis);
    expect(found?.fromMillis).toBeCloseTo(38_400);
    expect(found?.toMillis).toBeCloseTo(78_400);
  });

  test('is one of at least 5 s: six intervals of 0.8 s are none, seven are', () => {
    expect(collapseOf(starving([49, 55]), axis)).toBeUndefined();
    expect(collapseOf(starving([49, 55], [59, 65]), axis)).toBeUndefined();
    expect(collapseOf(starving([49, 56]), axis)?.fromMillis).toBeCloseTo(38_400);
  });

  test('is not over by a lucky moment', () => {
    expect(collapseOf(starving([49, 80], [82, 99]), axis)?.toMillis).toBeCloseTo(78_400);
  });

  test('that lasts to the end of the last phase has no end', () => {
    expect(collapseOf(starving([150, 226]), axis)).toMatchObject({ toMillis: undefined });
  });

  test('is also that nobody is told anything while requests wait', () => {
    const silent = (waiting: number): RunResult => {
      const order = { ...calm, servedInTime: calm.late, waiting: calm.late.map(() => waiting) };
      return { ...template, timeline: { ...template.timeline, partitions: { order } } };
    };
    expect(collapseOf(silent(3), axis)).toMatchObject({ fromMillis: 0 });
    expect(collapseOf(silent(0), axis)).toBeUndefined();
  });

  test('is not seen in a partition that promises no answer within some time', () => {
    const { order } = starving([49, 99]).timeline.partitions;
    const batch = report.rehearsal.runs[0]?.partitions['batch'];
    const run = {
      ...template,
      partitions: { batch: batch as RunResult['partitions'][string] },
      timeline: { ...template.timeline, partitions: { batch: order as PartitionTimeline } },
    };
    expect(collapseOf(run, axis)).toBeUndefined();
  });
});
