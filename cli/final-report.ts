import type { Rehearsal } from '../rehearsal/index.ts';
import { busyNote, conduct, verdictOf, wallsExplained } from '../rehearsal/wording.ts';
import type { RehearseSettings } from './settings.ts';
import { table } from './table.ts';
import { duration, paint, wrap, type Look } from './text.ts';
import type { Told } from './time-axis.ts';
import { timelinePicture } from './timeline-picture.ts';
import { objectiveLines, verdict } from './verdict.ts';

export function introduction(
  server: string,
  { scenario, max, timeScale }: Pick<RehearseSettings, 'scenario' | 'max' | 'timeScale'>,
): string {
  return `${scenario.name} on ${server}, pool of ${max}; ${explainScale(timeScale)}`;
}

/** Table, course, objectives, verdict. */
export function report(told: Told, look: Look): string {
  const { rehearsal } = told;
  const { scenario, driver, server, timeScale, seed } = rehearsal;
  return [
    '',
    paint(look, 'bold', wrap(`${scenario}, ${driver} on ${server}`, look.columns)),
    wrap(`Times are those of the story; ${explainScale(timeScale)}.`, look.columns),
    ...(seed === undefined ? [] : [`The same arrivals again: --seed ${seed}.`]),
    '',
    table(rehearsal, look),
    ...courseOf(told, look),
    '',
    paint(look, 'dim', wrap(conduct(rehearsal), look.columns)),
    '',
    objectiveLines(rehearsal, look),
    '',
    ...wallsNote(rehearsal, look),
    verdict(rehearsal, look),
    ...careNote(rehearsal, look),
    '',
  ].join('\n');
}

function courseOf(told: Told, look: Look): string[] {
  const picture = timelinePicture(told, look);
  return picture === undefined ? [] : ['', picture];
}

/** Before the verdict, which is what people look for at the end. */
function wallsNote(rehearsal: Rehearsal, look: Look): string[] {
  if (!verdictOf(rehearsal).includes('walls')) return [];
  return [paint(look, 'dim', wrap(wallsExplained, look.columns))];
}

function careNote(rehearsal: Rehearsal, look: Look): string[] {
  const note = busyNote(rehearsal);
  if (note === undefined) return [];
  const advice = `${note} Rehearse on a quieter machine, or with a larger --time-scale.`;
  return [paint(look, 'yellow', wrap(advice, look.columns))];
}

export function explainScale(timeScale: number): string {
  if (timeScale === 1) return '1 s of the story is 1 s here';
  return `1 s of the story is ${duration(timeScale * 1_000)} here (--time-scale ${timeScale})`;
}
