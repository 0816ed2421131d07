import type { Rehearsal } from '../rehearsal/index.ts';
import type { RehearseSettings } from './settings.ts';
import { table } from './table.ts';
import { duration, paint, wrap, type Look } from './text.ts';
import { objectiveLines, verdict } from './verdict.ts';

export function introduction(server: string, { max, timeScale }: RehearseSettings): string {
  return `month-end on ${server}, pool of ${max}; ${explainScale(timeScale)}`;
}

/** Table, objectives, verdict. */
export function report(rehearsal: Rehearsal, look: Look): string {
  const { scenario, driver, server, timeScale } = rehearsal;
  return [
    '',
    paint(look, 'bold', `${scenario}, ${driver} on ${server}`),
    `Times are those of the story; ${explainScale(timeScale)}.`,
    '',
    table(rehearsal, look),
    '',
    objectiveLines(rehearsal, look),
    '',
    verdict(rehearsal, look),
    ...warning(rehearsal, look),
    '',
  ].join('\n');
}

function warning(rehearsal: Rehearsal, look: Look): string[] {
  const note = busyNote(rehearsal);
  return note === undefined ? [] : [paint(look, 'yellow', wrap(note, look.columns))];
}

/** Latencies of a machine that is busy with something else are not those of the pool. */
export function busyNote({ runs }: Rehearsal): string | undefined {
  const late = runs.filter(({ keptSchedule }) => !keptSchedule);
  if (late.length === 0) return undefined;
  const lags = late.map(({ name, arrivalLagMillis: { p99 } }) => `${name} ${p99.toFixed(1)} ms`);
  return (
    `Take these figures with care: the machine was busy, and requests were sent late (p99: ${lags.join(', ')}). ` +
    'Rehearse on a quieter machine, or with a larger --time-scale.'
  );
}

export function explainScale(timeScale: number): string {
  if (timeScale === 1) return '1 s of the story is 1 s here';
  return `1 s of the story is ${duration(timeScale * 1_000)} here (--time-scale ${timeScale})`;
}
