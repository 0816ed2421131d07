import type { Rehearsal } from '../rehearsal/index.ts';
import type { RehearseSettings } from './settings.ts';
import { table } from './table.ts';
import { duration, paint, wrap, type Look } from './text.ts';
import { objectiveLines, verdict } from './verdict.ts';

export function introduction(
  server: string,
  { scenario, max, timeScale }: RehearseSettings,
): string {
  return `${scenario.name} on ${server}, pool of ${max}; ${explainScale(timeScale)}`;
}

/** Table, objectives, verdict. */
export function report(rehearsal: Rehearsal, look: Look): string {
  const { scenario, driver, server, timeScale, seed } = rehearsal;
  return [
    '',
    paint(look, 'bold', `${scenario}, ${driver} on ${server}`),
    `Times are those of the story; ${explainScale(timeScale)}.`,
    ...(seed === undefined ? [] : [`The same arrivals again: --seed ${seed}.`]),
    '',
    table(rehearsal, look),
    '',
    objectiveLines(rehearsal, look),
    '',
    verdict(rehearsal, look),
    ...busyNote(rehearsal, look),
    '',
  ].join('\n');
}

/** Latencies of a machine that is busy with something else are not those of the pool. */
function busyNote({ runs }: Rehearsal, look: Look): string[] {
  const late = runs.filter(({ keptSchedule }) => !keptSchedule);
  if (late.length === 0) return [];
  const lags = late.map(({ name, arrivalLagMillis: { p99 } }) => `${name} ${p99.toFixed(1)} ms`);
  const note =
    `Take these figures with care: the machine was busy, and requests were sent late (p99: ${lags.join(', ')}). ` +
    'Rehearse on a quieter machine, or with a larger --time-scale.';
  return [paint(look, 'yellow', wrap(note, look.columns))];
}

function explainScale(timeScale: number): string {
  if (timeScale === 1) return '1 s of the story is 1 s here';
  return `1 s of the story is ${duration(timeScale * 1_000)} here (--time-scale ${timeScale})`;
}
