import { resultOf, type Result, type Unfinished } from '../result.ts';
import { explain, median, ratioOf } from '../statistics.ts';
import { figure, size, table } from '../table.ts';
import type { Measured } from './rounds.ts';

const limit = 'minimal';
const ours = 'watertight';

/** How much more than the limit ours may cost. */
const goals: Readonly<Record<string, number>> = {
  'acquire and release': 1.2,
  'acquire and release, synchronous': 3,
  drain: 1.3,
  'time out': 1.3,
};

export interface Outcome {
  readonly results: readonly Result[];
  readonly unfinished: readonly Unfinished[];
}

export function outcomeOf({ task, series }: Measured): Outcome {
  const results: Result[] = [];
  const unfinished: Unfinished[] = [];
  const base = series.get(limit);
  for (const [subject, sizes] of series) {
    if (subject === limit) continue;
    for (const [n, rounds] of sizes) {
      const what = { name: task.name, n, subject, against: limit };
      const ratio = ratioOf(rounds, base?.get(n) ?? []);
      if (ratio) results.push(resultOf(what, ratio));
      else unfinished.push(what);
    }
  }
  return { results, unfinished };
}

/** Nanoseconds per caller by size, and below how ours compares with the limit. */
export function describe({ task, series }: Measured): string {
  const sizes = [...(series.get(limit)?.keys() ?? [])];
  const unit = task.hasLine ? 'ns per waiter, line of' : 'ns';
  const head = [unit, ...sizes.map((n) => (task.hasLine ? size(n) : 'each'))];
  const rows = [...series].map(([name, figures]) => [
    name,
    ...sizes.map((n) => nanosOf(figures.get(n) ?? [])),
  ]);
  return [`${task.name}:`, table(head, rows), ...comparison({ task, series }, sizes), ''].join(
    '\n',
  );
}

function nanosOf(rounds: readonly (number | undefined)[]): string {
  const measured = rounds.filter((nanos) => nanos !== undefined);
  return measured.length === 0 ? 'did not finish' : figure(median(measured));
}

function comparison({ task, series }: Measured, sizes: readonly number[]): string[] {
  return sizes.flatMap((n) => {
    const ratio = ratioOf(series.get(ours)?.get(n) ?? [], series.get(limit)?.get(n) ?? []);
    if (!ratio) return [];
    const where = task.hasLine ? `at ${size(n)}` : 'each';
    return [`  ${ours} / ${limit} ${where}: ${explain(ratio, goals[task.name])}`];
  });
}
