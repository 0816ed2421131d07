import type { Spread } from '../statistics.ts';
import { at, frame, line, text } from './frame.ts';

export interface Bar {
  readonly label: string;
  readonly ratio: number;
  readonly spread: Spread;
}

export interface Bars {
  readonly title: string;
  readonly subtitle: string;
  readonly groups: readonly { readonly name: string; readonly bars: readonly Bar[] }[];
}

const plot = { left: 210, right: 880, top: 100 };
const barHeight = 24;
const rowHeight = 36;
const groupGap = 46;

/** Horizontal bars from 0, the line at 1 is the other side; whiskers are the quartiles. */
export function barsPicture({ title, subtitle, groups }: Bars): string {
  const all = groups.flatMap(({ bars }) => bars);
  const most = Math.max(1.2, ...all.map(({ spread }) => spread[1])) * 1.02;
  const x = (ratio: number): number => plot.left + (ratio / most) * (plot.right - plot.left);
  const content: string[] = [];
  let y = plot.top;
  for (const { name, bars } of groups) {
    content.push(text({ x: 30, y: y + 22, content: name, kind: 'strong' }));
    y += groupGap;
    for (const bar of bars) {
      content.push(drawBar(bar, y, x));
      y += rowHeight;
    }
  }
  const one = line({
    from: [x(1), plot.top + 34],
    to: [x(1), y],
    look: 'class="limit" stroke-width="2"',
  });
  const caption = text({
    x: x(1),
    y: y + 26,
    content: 'the same: 1.00',
    anchor: 'middle',
    kind: 'faint',
  });
  return frame(title, subtitle, y + 50, [...content, one, caption]);
}

function drawBar({ label, ratio, spread }: Bar, y: number, x: (ratio: number) => number): string {
  const middle = y + barHeight / 2;
  const [low, high] = spread;
  return [
    text({ x: plot.left - 14, y: middle + 6, content: label, anchor: 'end' }),
    `<rect class="ours" x="${plot.left}" y="${y}" width="${at(x(ratio) - plot.left)}" height="${barHeight}" rx="3" opacity="0.85"/>`,
    line({
      from: [x(low), middle],
      to: [x(high), middle],
      look: 'class="limit" stroke-width="2.5"',
    }),
    text({ x: Math.max(x(high), x(1)) + 12, y: middle + 6, content: ratio.toFixed(2) }),
  ].join('\n');
}
