import type { Ratio } from '../statistics.ts';

export interface Row {
  readonly task: string;
  readonly n: number;
  /** This tree against the one before. */
  readonly measured: Ratio;
}

/** Slower by more than this is worth a failure... */
const allowed = 1.15;

/** ...if three of four rounds say so, too: the whole spread is above. */
export const regressions = (rows: readonly Row[]): Row[] =>
  rows.filter(({ measured: { ratio, spread } }) => ratio > allowed && spread[0] > allowed);
