import type { Rehearsal } from '../rehearsal/index.ts';
import { figure, verdictOf, wanted } from '../rehearsal/wording.ts';
import { paint, wrap, type Look } from './text.ts';

/**
 * Every objective with what came out and what was wanted; wrapped where they cannot stand in
 * columns. Of a void rehearsal none is met or missed.
 */
export function objectiveLines({ objectives, void: isVoid }: Rehearsal, look: Look): string {
  const rows = objectives.map((objective) => ({
    met: objective.met,
    name: `${objective.run}: ${objective.name}`,
    got: figure(objective, objective.got),
    limit: `(${wanted(objective)})`,
  }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const columns = rows.map(({ name, got, limit }) =>
    [name.padEnd(width), got.padStart(7), limit].join('  '),
  );
  const room = look.columns - indent;
  const fits = columns.every(({ length }) => length <= room);
  const lines = rows.map(({ met, name, got, limit }, index) => {
    const text = (fits && columns[index]) || wrap(`${name} ${got} ${limit}`, room);
    const indented = text.replaceAll('\n', `\n${' '.repeat(indent)}`);
    if (isVoid) return `  ? ${indented}`;
    return met
      ? `  ${paint(look, 'green', '✓')} ${indented}`
      : `  ${paint(look, 'red', `✗ ${indented}`)}`;
  });
  return lines.join('\n');
}

const indent = 4;

/** One sentence that can be read out. */
export function verdict(rehearsal: Rehearsal, look: Look): string {
  const sentence = wrap(verdictOf(rehearsal), look.columns);
  if (rehearsal.void) return paint(look, 'yellow', sentence);
  return paint(look, rehearsal.met ? 'green' : 'red', sentence);
}
