/** What stands above and below a picture of characters: the phases by name, and times. */
import { clip } from './text.ts';
import { clockTime, timeTicks, type TimeAxis } from './time-axis.ts';

interface Label {
  readonly at: number;
  readonly text: string;
}

const columnOf = (millis: number, { toMillis }: TimeAxis, columns: number): number =>
  Math.round((millis / toMillis) * columns);

/** A mark where each phase begins, with its name beside it, or above where there is no room. */
export function phaseLines(axis: TimeAxis, columns: number): string[] {
  const phases = [...axis.phases, { name: 'end', fromMillis: axis.endMillis }];
  const names = phases
    .map(({ name, fromMillis }) => ({ at: columnOf(fromMillis, axis, columns), text: name }))
    .filter(({ at }) => at < columns);
  const marked = names.map(({ at, text }) => ({ at, text: `│ ${text}` }));
  const fits = marked.map(({ text }, index) => text.length <= roomOf(marked, index, columns));
  const above = names.filter((_, index) => !fits[index] && index < axis.phases.length);
  const beside = marked.map(({ at, text }, index) => ({ at, text: fits[index] ? text : '│' }));
  return [above, beside].map((labels) => placed(labels, columns)).filter((line) => line !== '');
}

const leastColumnsPerTime = 6;

export function timeLine(axis: TimeAxis, columns: number): string {
  const steps = Math.max(1, Math.floor(columns / leastColumnsPerTime));
  const times = timeTicks(axis.toMillis, steps).map((millis) => ({
    at: columnOf(millis, axis, columns),
    text: clockTime(millis),
  }));
  const whole = times.filter(({ at, text }) => at + text.length <= columns);
  return placed(whole, columns);
}

/** Up to a space before the next label, or up to the end. */
function roomOf(labels: readonly Label[], index: number, columns: number): number {
  const at = labels[index]?.at ?? 0;
  const next = labels[index + 1];
  return next === undefined ? columns - at : Math.max(Math.min(1, next.at - at), next.at - at - 1);
}

const leastOfName = 4;

function placed(labels: readonly Label[], columns: number): string {
  let line = '';
  for (const [index, { at, text }] of labels.entries()) {
    const room = roomOf(labels, index, columns);
    if (text.length <= room || room >= leastOfName) line = line.padEnd(at) + clip(text, room);
  }
  return line;
}
