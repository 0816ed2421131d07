import { measureRounds } from '../contention/rounds.ts';
import { tasks } from '../contention/tasks.ts';
import { ratioOf } from '../statistics.ts';
import { ourLibrary } from '../subjects/index.ts';
import { watertightFrom } from '../subjects/watertight.ts';
import type { Built } from './build.ts';
import type { Row } from './regressions.ts';

const plan = {
  quick: true,
  sizes: [10, 10_000],
  rounds: 7,
  peerRounds: 0,
  budgetMillis: 20_000,
  sizeMillis: 150,
};

/** False for a commit that has something else where the library is now. */
export async function runs({ library }: Built): Promise<boolean> {
  try {
    const gate = await watertightFrom(library).open({ timeoutMillis: 1000 });
    await gate.turns(1);
    return true;
  } catch {
    return false;
  }
}

/** The rows named, or all. */
export async function measureRows(
  before: Built,
  only?: readonly Pick<Row, 'task' | 'n'>[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const task of tasks) {
    const wanted = only?.filter((row) => row.task === task.name).map(({ n }) => n);
    if (wanted?.length === 0) continue;
    const { series } = await measureRounds({
      task,
      plan: { ...plan, sizes: wanted ?? plan.sizes },
      subjects: [contender('before', before.library), contender('now', ourLibrary)],
    });
    for (const [n, rounds] of series.get('now') ?? []) {
      const measured = ratioOf(rounds, series.get('before')?.get(n) ?? []);
      if (measured) rows.push({ task: task.name, n, measured });
    }
  }
  return rows;
}

const contender = (name: string, library: string) => ({
  name,
  library,
  subject: watertightFrom(library),
  rounds: plan.rounds,
});
