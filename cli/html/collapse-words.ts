import type { Rehearsal, RunResult } from '../../rehearsal/index.ts';
import { collapseOf, judgedPartitions, lastingMillis, type Collapse } from '../collapse.ts';
import { clockTime, type TimeAxis } from '../time-axis.ts';
import { chosen, listed } from './words.ts';

/** Whether and when a run collapsed, and who held the connections then. */
export function collapseWords(run: RunResult, axis: TimeAxis, rehearsal: Rehearsal): string {
  const collapse = collapseOf(run, axis);
  const fewer = `fewer than half of the ${listed(judgedPartitions(run))} requests`;
  const answered = `answered ${within(run, rehearsal)}`;
  if (collapse === undefined) {
    return `No collapse: there are no ${chosen(lastingMillis)} on end in which ${fewer} are ${answered}.`;
  }
  const { fromMillis, toMillis } = collapse;
  const until =
    toMillis === undefined ? ', and it stays so to the end' : `, until ${clockTime(toMillis)}`;
  return `From ${clockTime(fromMillis)} on, ${fewer} are ${answered}${until}.${holders(run, collapse, axis, rehearsal)}`;
}

/** The deadline, when it is the same for all. */
function within({ partitions }: RunResult, { timeScale }: Rehearsal): string {
  const deadlines = Object.values(partitions).flatMap(({ answerWithinMillis: millis }) =>
    millis === undefined ? [] : chosen(Math.round(millis / timeScale)),
  );
  return new Set(deadlines).size === 1 ? `within ${deadlines[0]}` : 'in time';
}

/** Those who promise no answer within some time: what they hold, the others cannot. */
function holders(
  run: RunResult,
  { fromMillis }: Collapse,
  axis: TimeAxis,
  { max }: Rehearsal,
): string {
  const judged = judgedPartitions(run);
  // At the end of the first interval that is starved.
  const moment = Math.round(fromMillis / axis.everyMillis) + 1;
  const others = Object.entries(run.timeline.partitions).flatMap(([name, { inUse }]) => {
    const held = inUse[moment] ?? 0;
    return judged.includes(name) || held === 0 ? [] : [`${name} holds ${held}`];
  });
  return others.length === 0 ? '' : ` At that time ${listed(others)} of the ${max} connections.`;
}
