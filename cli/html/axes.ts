/** What stands behind, beside and below the areas of a picture. */
import { count } from '../text.ts';
import { rounded, rowHeight, width, type Frame } from './frame.ts';
import { placeLabels, widthOf } from './labels.ts';
import { markup, type Markup } from './markup.ts';
import { valueTicks } from './ticks.ts';
import { clockTime, timeTicks, type TimeAxis } from '../time-axis.ts';

/** Every second phase is shaded. */
export const phaseStripes = ({ phases }: TimeAxis, { x, top, bottom }: Frame): Markup[] =>
  phases
    .filter((_, index) => index % 2 === 1)
    .map(({ fromMillis, toMillis }) => {
      const wide = rounded(x(toMillis) - x(fromMillis));
      return markup`<rect class="phase" x="${x(fromMillis)}" y="${top}" width="${wide}" height="${bottom - top}" />\n`;
    });

export const valueLines = (highest: number, { left, right, top, bottom, y }: Frame): Markup[] =>
  valueTicks(highest, bottom - top).map(
    (value) => markup`<path class="grid" d="M${left} ${y(value)}H${right}" />
<text class="tick" x="${left - 6}" y="${rounded(y(value) + 4)}" text-anchor="end">${count(value)}</text>
`,
  );

export function times({ toMillis }: TimeAxis, { left, right, bottom, x }: Frame): Markup[] {
  const fits = (millis: number): boolean => x(millis) + widthOf(clockTime(millis)) / 2 <= width;
  const line = markup`<path class="axis" d="M${left} ${bottom}H${right}" />\n`;
  const ticks = timeTicks(toMillis)
    .filter(fits)
    .map(
      (millis) => markup`<path class="axis" d="M${x(millis)} ${bottom}v4" />
<text class="tick" x="${x(millis)}" y="${bottom + rowHeight}" text-anchor="middle">${clockTime(millis)}</text>
`,
    );
  return [line, ...ticks];
}

export function phaseNames({ phases }: TimeAxis, { left, right, bottom, x }: Frame): Markup[] {
  const labels = phases.map(({ name, fromMillis, toMillis }) => ({
    text: name,
    middle: (x(fromMillis) + x(toMillis)) / 2,
  }));
  return placeLabels(labels, left, right).map((label) => {
    const middle = rounded(label.left + widthOf(label.text) / 2);
    return markup`<text x="${middle}" y="${bottom + 2 * rowHeight}" text-anchor="middle">${label.text}</text>\n`;
  });
}
