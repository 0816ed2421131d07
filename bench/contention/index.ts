import type { Settings } from '../arguments.ts';
import { ourLibrary, subjects } from '../subjects/index.ts';
import { fullPlan, quickPlan, type Plan } from './plan.ts';
import { describe, outcomeOf, type Outcome } from './report.ts';
import { measureRounds, type Contender, type Measured } from './rounds.ts';
import { tasks } from './tasks.ts';

export interface Contention extends Outcome {
  readonly measured: readonly Measured[];
}

export async function contention(
  settings: Settings,
  say: (text: string) => void,
): Promise<Contention> {
  const plan = settings.quick ? quickPlan : fullPlan;
  const measured: Measured[] = [];
  for (const task of tasks) {
    if (!task.name.startsWith(settings.task ?? '')) continue;
    const one = await measureRounds({ task, plan, subjects: contenders(settings, plan) });
    measured.push(one);
    say(describe(one));
  }
  const outcomes = measured.map(outcomeOf);
  return {
    measured,
    results: outcomes.flatMap(({ results }) => results),
    unfinished: outcomes.flatMap(({ unfinished }) => unfinished),
  };
}

function contenders({ only }: Settings, { rounds, peerRounds }: Plan): Contender[] {
  const close = ['minimal', 'watertight'];
  return subjects()
    .filter(({ name }) => name === 'minimal' || only.length === 0 || only.includes(name))
    .map((subject) => ({
      name: subject.name,
      subject,
      library: ourLibrary,
      rounds: close.includes(subject.name) ? rounds : peerRounds,
    }));
}
