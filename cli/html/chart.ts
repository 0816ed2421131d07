/** A picture of quantities over time, stacked on each other. Knows nothing of what they are. */
import { areas, bandNames } from './areas.ts';
import { phaseNames, phaseStripes, times, valueLines } from './axes.ts';
import { stacked, type Band } from './bands.ts';
import { frameOf, rowHeight, width, type Frame } from './frame.ts';
import { widthOf } from './labels.ts';
import { markup, type Content, type Markup } from './markup.ts';
import { clockTime, type TimeAxis } from '../time-axis.ts';

export interface ChartOptions {
  /** Unique on the page. */
  readonly id: string;
  /** What somebody is told who does not see it. */
  readonly title: string;
  /** From the bottom up. */
  readonly bands: readonly Band[];
  readonly axis: TimeAxis;
  /** Where the picture ends above; the same in all pictures that are compared. */
  readonly highest: number;
  readonly height: number;
  /** A value that is marked by a line. */
  readonly limit?: number;
  /** A moment that is marked. */
  readonly mark?: number | undefined;
  /** With the names of the phases, of the bands where there is room, and of what is marked. */
  readonly named?: boolean;
}

export function chart(options: ChartOptions): Markup {
  const { id, title, axis, highest, named = false } = options;
  const { everyMillis } = axis;
  const frame = frameOf({ ...options, top: named ? rowHeight + 4 : 8 });
  const bands = stacked(options.bands);
  const total = frame.bottom + rowHeight * (named ? 2 : 1) + 6;
  return markup`<svg class="chart" role="img" aria-labelledby="${id}" viewBox="0 0 ${width} ${total}">
<title id="${id}">${title}</title>
${phaseStripes(axis, frame)}${valueLines(highest, frame)}${areas(bands, everyMillis, frame)}${limit(options, frame)}${mark(options, frame)}${times(axis, frame)}${named ? [phaseNames(axis, frame), bandNames(bands, everyMillis, frame)] : ''}</svg>`;
}

const limit = ({ limit: value }: ChartOptions, { left, right, y }: Frame): Content =>
  value === undefined ? '' : markup`<path class="limit" d="M${left} ${y(value)}H${right}" />\n`;

function mark(options: ChartOptions, { x, top, bottom, right }: Frame): Content {
  const { mark: millis, named = false } = options;
  if (millis === undefined) return '';
  const line = (from: number): Markup =>
    markup`<path class="mark" d="M${x(millis)} ${from}V${bottom}" />\n`;
  if (!named) return line(top);
  const text = `collapse at ${clockTime(millis)}`;
  const at = Math.min(x(millis), right - widthOf(text));
  return markup`${line(top - 4)}<text class="mark-name" x="${at}" y="${top - 8}">${text}</text>\n`;
}
