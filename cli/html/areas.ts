/** What a picture is about: the bands, as areas on each other, and their names. */
import { nameBands } from './band-names.ts';
import type { Stacked } from './bands.ts';
import { rounded, type Frame } from './frame.ts';
import { markup, type Markup } from './markup.ts';
import { colourOf, fillOf } from './patterns.ts';

/** Painted from the top of the stack down, each over the one above: so an area is only its upper edge. */
export const areas = (bands: readonly Stacked[], everyMillis: number, frame: Frame): Markup[] =>
  bands
    .toReversed()
    .map(
      ({ texture, upper }) =>
        markup`<path class="band ${colourOf(texture)}" d="${outline(upper, everyMillis, frame)}" fill="${fillOf(texture)}" />\n`,
    );

function outline(values: readonly number[], everyMillis: number, frame: Frame): string {
  const { x, y, left, bottom } = frame;
  const points = values.map((value, moment) => ({ x: x(moment * everyMillis), y: y(value) }));
  // Nobody misses the points in the middle of a level stretch.
  const bends = points.filter(
    (point, index) => point.y !== points[index - 1]?.y || point.y !== points[index + 1]?.y,
  );
  const edge = bends.map((bend) => `L${bend.x} ${bend.y}`).join('');
  return `M${left} ${bottom}${edge}L${points.at(-1)?.x ?? left} ${bottom}Z`;
}

export function bandNames(
  bands: readonly Stacked[],
  everyMillis: number,
  { x, y }: Frame,
): Markup[] {
  const scales = {
    pixelsPerMoment: x(everyMillis * 100) / 100 - x(0) / 100,
    pixelsPerValue: (y(0) - y(100)) / 100,
  };
  return nameBands(bands, scales).map(({ text, moment, value }) => {
    const baseline = rounded(y(value) + 4.5);
    return markup`<text class="band-name" x="${x(moment * everyMillis)}" y="${baseline}" text-anchor="middle">${text}</text>\n`;
  });
}
