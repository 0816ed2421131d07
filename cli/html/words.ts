export { listed } from '../../rehearsal/wording.ts';

/** `10 s`, `1.5 s`, `150 ms`: a figure that was chosen, not measured. It stays in one line. */
export function chosen(millis: number): string {
  return millis < 1_000 ? `${millis}\u00A0ms` : `${Number((millis / 1_000).toFixed(2))}\u00A0s`;
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
