import type { PartitionTimeline } from '../rehearsal/index.ts';

/** What happened to a partition in the time that one column of a picture stands for. */
export interface Stretch {
  /** Requests that were answered, in time or late, and those that were sent away. */
  readonly settled: number;
  readonly inTime: number;
  /** On the average. */
  readonly waiting: number;
  readonly inUse: number;
}

/**
 * Counts add up, gauges are averaged. Interval k lies between the moments k and k + 1, and there are
 * as many for all runs; a run that was over earlier has nothing in the last ones.
 */
export function stretchesOf(
  timeline: PartitionTimeline,
  intervals: number,
  columns: number,
): Stretch[] {
  const start = (column: number): number => Math.floor((column * intervals) / columns) + 1;
  return Array.from({ length: columns }, (_, column) => {
    const within = (values: readonly number[]): readonly number[] =>
      values.slice(start(column), start(column + 1));
    const inTime = sum(within(timeline.servedInTime));
    const others = [timeline.late, timeline.refused, timeline.timedOut, timeline.failed];
    return {
      settled: others.reduce((total, each) => total + sum(within(each)), inTime),
      inTime,
      waiting: mean(within(timeline.waiting)),
      inUse: mean(within(timeline.inUse)),
    };
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : sum(values) / values.length;
