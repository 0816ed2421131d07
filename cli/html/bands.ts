import type { PartitionTimeline, RunResult, Scenario } from '../../rehearsal/index.ts';

/** A quantity of one partition at each recorded moment, as it is stacked in a picture. */
export interface Band {
  readonly name: string;
  /** Which texture it has, in every picture. */
  readonly texture: number;
  readonly values: readonly number[];
}

/**
 * From the bottom up. Workers hold the same for minutes: at the bottom they are a level block, and
 * above it shows what the others are left with.
 */
export function bandsOf(
  { timeline }: RunResult,
  { workloads }: Scenario,
  quantity: (partition: PartitionTimeline) => readonly number[],
): Band[] {
  const all = workloads.map(({ partition, kind }, texture) => ({ partition, kind, texture }));
  const stack = [
    ...all.filter(({ kind }) => kind === 'workers'),
    ...all.filter(({ kind }) => kind !== 'workers'),
  ];
  return stack.flatMap(({ partition: name, texture }) => {
    const partition = timeline.partitions[name];
    return partition === undefined ? [] : [{ name, texture, values: quantity(partition) }];
  });
}

/** Where a band lies when it stands on those below it. */
export interface Stacked extends Band {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

export function stacked(bands: readonly Band[]): Stacked[] {
  let below: readonly number[] = (bands[0]?.values ?? []).map(() => 0);
  return bands.map((band) => {
    const lower = below;
    const upper = band.values.map((value, moment) => value + (lower[moment] ?? 0));
    below = upper;
    return { ...band, lower, upper };
  });
}

/** Of the whole stack. */
export const highestOf = (bands: readonly Band[]): number =>
  Math.max(0, ...(stacked(bands).at(-1)?.upper ?? []));
