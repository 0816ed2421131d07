import { writeFileSync } from 'node:fs';
import type { Machine } from './machine.ts';
import type { Ratio, Spread } from './statistics.ts';

/** One subject at one size. The ratio is of CPU time unless the name says otherwise. */
export interface Result {
  readonly name: string;
  /** Waiters, callers or calls, as the name says. */
  readonly n: number;
  readonly subject: string;
  readonly against: string;
  readonly ratio: number;
  readonly spread: Spread;
}

/** A subject that was stopped at its time budget. */
export type Unfinished = Omit<Result, 'ratio' | 'spread'>;

export interface Report {
  readonly results: readonly Result[];
  readonly unfinished: readonly Unfinished[];
  readonly machine: Machine;
}

export function resultOf(
  { name, n, subject, against }: Unfinished,
  { ratio, spread: [low, high] }: Ratio,
): Result {
  return { name, n, subject, against, ratio: round(ratio), spread: [round(low), round(high)] };
}

export function writeReport(file: string, report: Report): void {
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
}

/** Four digits; more would only pretend. */
const round = (value: number): number => Number(value.toPrecision(4));
