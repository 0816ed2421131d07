/** What all pictures share: size, colours for light and dark pages, text. */

export const width = 1000;

/** Mid tones, to be told apart on white and on black. */
const hues = [
  ...['#4e8fd0', '#2fa37c', '#c77bb0', '#9a7fd1', '#c09a2b', '#5fb3c9'],
  ...['#c9675f', '#7c9a3d', '#8b8f98', '#b57f4f'],
];
export const hueOf = (index: number): string => hues.at(index % hues.length) ?? '#888';

/** @param content the elements of the picture */
export function frame(title: string, subtitle: string, height: number, content: string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${style}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    text({ x: 30, y: 42, content: title, kind: 'title' }),
    text({ x: 30, y: 70, content: subtitle, kind: 'faint' }),
    ...content,
    '</svg>',
    '',
  ].join('\n');
}

const style = `
  .page { fill: #ffffff } .grid { stroke: #d8dde3 } .axis { stroke: #6e7781 }
  .ours { stroke: #e2571e; fill: #e2571e } .limit { stroke: #1f2328; fill: #1f2328 }
  text { font: 17px system-ui, sans-serif; fill: #1f2328; stroke: none }
  text.title { font-size: 23px; font-weight: 600 } text.faint { fill: #59636e }
  text.strong { font-weight: 700 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .grid { stroke: #2b323b } .axis { stroke: #848d97 }
    .ours { stroke: #ff7a45; fill: #ff7a45 } .limit { stroke: #f0f6fc; fill: #f0f6fc }
    text { fill: #f0f6fc } text.faint { fill: #9198a1 }
  }
`.replaceAll(/\s+/g, ' ');

export interface Text {
  readonly x: number;
  readonly y: number;
  readonly content: string;
  readonly kind?: 'title' | 'faint' | 'strong';
  readonly anchor?: 'start' | 'middle' | 'end';
}

export const text = ({ x, y, content, kind, anchor = 'start' }: Text): string =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}"${kind ? ` class="${kind}"` : ''}>${escape(content)}</text>`;

export interface Line {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** A class, or attributes. */
  readonly look: string;
}

export const line = ({ from: [x1, y1], to: [x2, y2], look }: Line): string =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" ${look}/>`;

/** Tenths of a pixel. */
export const at = (value: number): string => String(Math.round(value * 10) / 10);

const escape = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
