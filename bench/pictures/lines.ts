import { subjectNames } from '../names.ts';
import { figure, size } from '../table.ts';
import { at, frame, hueOf, line, text } from './frame.ts';

export interface LineOf {
  readonly name: string;
  /** Size and value, by size. */
  readonly points: readonly (readonly [number, number])[];
  /** False when longer lines took too long: the end is crossed out. */
  readonly finished: boolean;
}

export interface Lines {
  readonly title: string;
  readonly subtitle: string;
  readonly lines: readonly LineOf[];
}

const height = 640;
const plot = { left: 90, right: 730, top: 100, bottom: 560 };
const labelGap = 25;

/** Both axes logarithmic: a line that stays flat costs every waiter the same. */
export function linesPicture({ title, subtitle, lines }: Lines): string {
  const all = lines.flatMap(({ points }) => points);
  const x = scale(range(all.map(([n]) => n)), plot.left, plot.right);
  const y = scale(range(all.map(([, value]) => value)), plot.bottom, plot.top);
  const shown = lines.filter(({ points }) => points.length > 0);
  const ends = labelHeights(shown.map(({ points }) => y(points.at(-1)?.[1] ?? 1)));
  return frame(title, subtitle, height, [
    ...gridOf(x, y),
    ...shown.map((one) => drawLine(one, x, y)),
    ...shown.map((one, index) => label(one, ends[index] ?? 0)),
  ]);
}

interface Scale {
  (value: number): number;
  readonly decades: readonly number[];
}

/** Whole decades. */
const range = (values: readonly number[]): readonly [number, number] => [
  Math.floor(Math.log10(Math.min(...values))),
  Math.ceil(Math.log10(Math.max(...values))),
];

function scale([low, high]: readonly [number, number], from: number, to: number): Scale {
  const place = (value: number): number =>
    from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  const decades = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return Object.assign(place, { decades });
}

function gridOf(x: Scale, y: Scale): string[] {
  const vertical = x.decades.flatMap((n) => [
    line({ from: [x(n), plot.top], to: [x(n), plot.bottom], look: 'class="grid"' }),
    text({ x: x(n), y: plot.bottom + 26, content: size(n), anchor: 'middle', kind: 'faint' }),
  ]);
  const horizontal = y.decades.flatMap((value) => [
    line({ from: [plot.left, y(value)], to: [plot.right, y(value)], look: 'class="grid"' }),
    text({
      x: plot.left - 10,
      y: y(value) + 6,
      content: time(value),
      anchor: 'end',
      kind: 'faint',
    }),
  ]);
  const middle = (plot.left + plot.right) / 2;
  const caption = { x: middle, y: plot.bottom + 58, content: 'waiters in line' } as const;
  return [...vertical, ...horizontal, text({ ...caption, anchor: 'middle', kind: 'faint' })];
}

const time = (nanos: number): string =>
  nanos >= 1000 ? `${figure(nanos / 1000).replace(/\.0+$/, '')} µs` : `${nanos} ns`;

function drawLine({ name, points, finished }: LineOf, x: Scale, y: Scale): string {
  const places = points.map(([n, value]) => [x(n), y(value)] as const);
  const path = places.map((place, step) => `${step === 0 ? 'M' : 'L'}${place.map(at).join(' ')}`);
  const curve = `<path d="${path.join('')}" fill="none" ${look(name)} style="fill:none"/>`;
  const [endX, endY] = places.at(-1) ?? [0, 0];
  return finished ? curve : curve + cross(endX, endY, look(name));
}

function cross(x: number, y: number, how: string): string {
  const arm = 6;
  return (
    line({ from: [x - arm, y - arm], to: [x + arm, y + arm], look: how }) +
    line({ from: [x - arm, y + arm], to: [x + arm, y - arm], look: how })
  );
}

function look(name: string): string {
  if (name === 'watertight') return 'class="ours" stroke-width="5" stroke-linejoin="round"';
  if (name === 'minimal') return 'class="limit" stroke-width="3" stroke-dasharray="9 6"';
  return `stroke="${hueOf(subjectNames.indexOf(name))}" stroke-width="2.2"`;
}

function label({ name, finished }: LineOf, y: number): string {
  const x = plot.right + 20;
  const content = finished ? name : `${name} ✕`;
  const kind = name === 'watertight' ? { kind: 'strong' as const } : {};
  return (
    line({ from: [x, y], to: [x + 26, y], look: look(name) }) +
    text({ x: x + 36, y: y + 6, content, ...kind })
  );
}

/** As near to the ends of the lines as they fit without lying on each other. */
function labelHeights(wanted: readonly number[]): number[] {
  const order = wanted
    .map((_, index) => index)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const heights: number[] = [];
  let lowest = plot.top;
  for (const [place, index] of order.entries()) {
    // Room for those that come below.
    const most = plot.bottom - (order.length - 1 - place) * labelGap;
    const y = Math.max(lowest, Math.min(wanted[index] ?? 0, most));
    heights[index] = y;
    lowest = y + labelGap;
  }
  return heights;
}
