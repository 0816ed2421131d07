import type { PartitionTimeline, RunResult } from '../rehearsal/index.ts';
import type { TimeAxis } from './time-axis.ts';

/** A stretch in which fewer than half of the requests with a deadline were answered in time. */
export interface Collapse {
  readonly fromMillis: number;
  /** Undefined when it lasted until no requests came any more. */
  readonly toMillis: number | undefined;
}

/** A hiccup is no collapse, and a lucky moment no recovery. */
export const lastingMillis = 5_000;

/**
 * The first stretch of at least `lastingMillis`, in the time of the story, up to the first equally
 * long one in which it is at least half again.
 */
export function collapseOf(run: RunResult, axis: TimeAxis): Collapse | undefined {
  const starved = starvedIntervals(run, axis);
  const lasting = Math.max(1, Math.ceil(lastingMillis / axis.everyMillis));
  const from = firstLasting(starved, true, 0, lasting);
  if (from === undefined) return undefined;
  const to = firstLasting(starved, false, from, lasting);
  return {
    fromMillis: from * axis.everyMillis,
    toMillis: to === undefined ? undefined : to * axis.everyMillis,
  };
}

/** Partitions that promise an answer within some time. */
export const judgedPartitions = ({ partitions }: RunResult): string[] =>
  Object.entries(partitions).flatMap(([name, { answerWithinMillis }]) =>
    answerWithinMillis === undefined ? [] : [name],
  );

/** Interval k ends at moment k + 1. Those after the last phase do not count: nobody asks any more. */
function starvedIntervals(run: RunResult, axis: TimeAxis): boolean[] {
  const judged = judgedPartitions(run).flatMap((name) => run.timeline.partitions[name] ?? []);
  const intervals = Math.round(axis.endMillis / axis.everyMillis);
  return Array.from({ length: intervals }, (_, index) => isStarved(judged, index + 1));
}

function isStarved(judged: readonly PartitionTimeline[], moment: number): boolean {
  const sum = (of: (timeline: PartitionTimeline) => readonly number[]): number =>
    judged.reduce((total, timeline) => total + (of(timeline)[moment] ?? 0), 0);
  const inTime = sum(({ servedInTime }) => servedInTime);
  const others = [
    sum(({ late }) => late),
    sum(({ refused }) => refused),
    sum(({ timedOut }) => timedOut),
    sum(({ failed }) => failed),
  ];
  const settled = others.reduce((total, each) => total + each, inTime);
  // When nobody was told anything, those who wait decide: nobody waits, nobody starves.
  return settled === 0 ? sum(({ waiting }) => waiting) > 0 : inTime < settled / 2;
}

function firstLasting(
  intervals: readonly boolean[],
  wanted: boolean,
  from: number,
  lasting: number,
): number | undefined {
  let since = from;
  for (let index = from; index < intervals.length; index++) {
    if (intervals[index] !== wanted) since = index + 1;
    else if (index + 1 - since === lasting) return since;
  }
  return undefined;
}
