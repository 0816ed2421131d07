import type { Rehearsal } from '../rehearsal/index.ts';
import { figure, verdictOf, wanted } from '../rehearsal/wording.ts';
import { paint, wrap, type Look } from './text.ts';

/** Every objective with what came out and what was wanted; of a void rehearsal none is met or missed. */
export function objectiveLines({ objectives, void: isVoid }: Rehearsal, look: Look): string {
  const width = Math.max(...objectives.map(({ name, run }) => `${run}: ${name}`.length));
  const lines = objectives.map((objective) => {
    const { met, run, name } = objective;
    const got = figure(objective, objective.got);
    const text = `${`${run}: ${name}`.padEnd(width)}  ${got.padStart(7)}  (${wanted(objective)})`;
    if (isVoid) return `  ? ${text}`;
    return met ? `  ${paint(look, 'green', '✓')} ${text}` : `  ${paint(look, 'red', `✗ ${text}`)}`;
  });
  return lines.join('\n');
}

/** One sentence that can be read out. */
export function verdict(rehearsal: Rehearsal, look: Look): string {
  const sentence = wrap(verdictOf(rehearsal), look.columns);
  if (rehearsal.void) return paint(look, 'yellow', sentence);
  return paint(look, rehearsal.met ? 'green' : 'red', sentence);
}
