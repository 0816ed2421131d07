import type { Rehearsal } from '../rehearsal/index.ts';

/** The result for programs, and still to be read by people: a list of figures takes one line, not two hundred. */
export function document(rehearsal: Rehearsal): string {
  // No string can be mistaken for such a list: in JSON none has a line break.
  const text = JSON.stringify(rehearsal, null, 2).replaceAll(
    /\[\n\s+([-\d.e+]+(?:,\n\s+[-\d.e+]+)*)\n\s+\]/g,
    (_, figures: string) => `[${figures.replaceAll(/,\n\s+/g, ', ')}]`,
  );
  return `${text}\n`;
}
