import { stripVTControlCharacters } from 'node:util';
import type { Look } from '../../cli/text.ts';

/** 80 columns without colour, as in a pipe. */
export const plain: Look = { colour: false, columns: 80 };

/** Every width that a terminal may reasonably have, with and without colour. */
export const looks: readonly Look[] = Array.from({ length: 161 }, (_, index) => index + 40).flatMap(
  (columns) => [true, false].map((colour) => ({ colour, columns })),
);

/** A figure at the end of a line whose unit begins the next one. */
export const partedUnit: RegExp = /\d\n\s*(%|ms|s|MB)(?!\w)/;

/** The columns that a text takes on a terminal. */
export const widest = (text: string): number =>
  Math.max(...text.split('\n').map((line) => stripVTControlCharacters(line).length));
