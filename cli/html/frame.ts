import type { TimeAxis } from '../time-axis.ts';

/** Where in a picture a moment and a value lie. Units are pixels where it is as wide as a telephone, so that its letters can be read there. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (millis: number) => number;
  readonly y: (value: number) => number;
}

export const width = 360;
/** Of a line of letters. */
export const rowHeight = 20;
const left = 52;
const right = 354;

interface Extent {
  readonly top: number;
  readonly height: number;
  readonly highest: number;
  readonly axis: TimeAxis;
}

export const frameOf = ({ top, height, highest, axis }: Extent): Frame => ({
  left,
  right,
  top,
  bottom: top + height,
  x: (millis) => rounded(left + (millis / axis.toMillis) * (right - left)),
  y: (value) => rounded(top + (1 - value / highest) * height),
});

/** Finer than anybody sees, and short. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;
