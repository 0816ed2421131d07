import { styleText } from 'node:util';

export { count, percent } from '../rehearsal/wording.ts';

/** What a stream can show. */
export interface Look {
  readonly colour: boolean;
  readonly columns: number;
}

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export const usualColumns = 80;

export function lookOf(stream: Stream, env: NodeJS.ProcessEnv): Look {
  const terminal = stream.isTTY === true && env['TERM'] !== 'dumb';
  return {
    colour: terminal && (env['NO_COLOR'] ?? '') === '',
    columns: (terminal && stream.columns) || usualColumns,
  };
}

/** Whether lines can be drawn over again. */
export function isLive(stream: Stream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '';
}

export function paint(look: Look, style: Style, text: string): string {
  // validateStream: whether to colour is decided above, for the stream that is really written to.
  return look.colour ? styleText(style, text, { validateStream: false }) : text;
}

export function duration(millis: number): string {
  if (millis < 999.5) return `${Math.round(millis)} ms`;
  return `${(millis / 1_000).toFixed(1)} s`;
}

/** Full, partly full and empty cells; something is never shown as nothing, nor almost all as all. */
export function bar(share: number, cells: number): string {
  const exact = share * cells;
  const full =
    share >= 1 ? cells : Math.min(cells - 1, Math.max(share > 0 ? 1 : 0, Math.floor(exact)));
  return '█'.repeat(full) + '░'.repeat(cells - full);
}

export const clip = (line: string, columns: number): string =>
  line.length <= columns ? line : `${line.slice(0, Math.max(0, columns - 1))}…`;

/** The first of several wordings that fits; the last one is cut when none does. */
export const firstFitting = (wordings: readonly string[], columns: number): string =>
  wordings.find(({ length }) => length <= columns) ?? clip(wordings.at(-1) ?? '', columns);

/** The spaces in `42 %`, `150 ms` and `< 0.1 %`: a figure and its unit are read as one. */
const inseparable = /(?<=\d) (?=(?:%|ms|s|min|h|kB|MB|GB)(?![\p{L}\d]))|(?<=<) /gu;
const noBreak = '\u00A0';

/**
 * Breaks at spaces, so that no terminal breaks inside a word or between a figure and its unit. All
 * lines are indented as the first one.
 */
export function wrap(text: string, columns: number): string {
  const [indent = ''] = /^ */.exec(text) ?? [];
  const [first = '', ...words] = text.trimStart().replaceAll(inseparable, noBreak).split(' ');
  const lines = [indent + first];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + 1 + word.length > columns) lines.push(indent + word);
    else lines.splice(-1, 1, `${last} ${word}`);
  }
  return lines.join('\n').replaceAll(noBreak, ' ');
}
