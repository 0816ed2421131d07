import type { Subject } from '../subjects/subject.ts';
import { measureInChild } from './child.ts';
import type { Plan } from './plan.ts';
import type { Task } from './tasks.ts';

/** Nanoseconds by size, then by round; undefined where it did not finish or was not measured. */
export type Series = Map<number, (number | undefined)[]>;

/** One task: the series of each subject that can do it. */
export interface Measured {
  readonly task: Task;
  readonly series: ReadonlyMap<string, Series>;
}

export interface RoundsOptions {
  readonly task: Task;
  readonly subjects: readonly Contender[];
  readonly plan: Plan;
  readonly onChild?: (subject: string, round: number) => void;
}

/** A subject as a child finds it. */
export interface Contender {
  readonly name: string;
  readonly subject: Subject;
  readonly library: string;
  readonly rounds: number;
}

/**
 * All subjects once, again and again: what changes on the machine from one minute to the next meets
 * all of them. Every other round goes backwards, so that nobody is always the first.
 */
export async function measureRounds({
  task,
  subjects,
  plan,
  onChild,
}: RoundsOptions): Promise<Measured> {
  const sizes = sizesOf(task, plan);
  const able = subjects.filter(({ subject }) => isAble(subject, task));
  const series = new Map(able.map(({ name }) => [name, new Map(sizes.map((n) => [n, []]))]));
  const reach = new Map(able.map(({ name }) => [name, sizes]));
  for (let round = 0; round < plan.rounds; round++) {
    const order = round % 2 === 0 ? able : able.toReversed();
    for (const { name, subject, library, rounds } of order) {
      const reachable = reach.get(name) ?? [];
      if (round >= rounds || reachable.length === 0) continue;
      onChild?.(name, round);
      const figures = await measureInChild(
        {
          task: task.name,
          subject: subject.name,
          sizes: reachable,
          library,
          sizeMillis: plan.sizeMillis,
        },
        plan.budgetMillis,
      );
      // Who did not finish is not made to try again.
      reach.set(name, reachable.slice(0, figures.length));
      for (const { n, nanos } of figures) enter(series.get(name), n, round, nanos);
    }
  }
  return { task, series };
}

function sizesOf(
  { hasLine, quickMost = Infinity }: Task,
  { sizes, quick }: Plan,
): readonly number[] {
  if (!hasLine) return [1];
  return quick ? sizes.map((n) => Math.min(n, quickMost)) : sizes;
}

const isAble = ({ abilities }: Subject, { needs }: Task): boolean =>
  needs === undefined || abilities.includes(needs);

function enter(series: Series | undefined, n: number, round: number, nanos: number): void {
  const rounds = series?.get(n);
  if (rounds) rounds[round] = nanos;
}
