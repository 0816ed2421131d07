import { stripVTControlCharacters } from 'node:util';
import { liveView, type Rehearsed } from './live-view.ts';
import { finishedLine, repeatedLine, startedLine, type Reporter } from './reporter.ts';
import { wrap, type Look } from './text.ts';

export interface LiveOptions {
  readonly write: (text: string) => void;
  /** Asked for every frame: the window may change its size. */
  readonly look: () => Look;
  readonly rehearsed: Rehearsed;
}

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const clearBelow = '\r\u001B[J';
const up = (lines: number): string => (lines > 0 ? `\u001B[${lines}A` : '');

/** For a terminal: a few lines that are drawn over again, a line for each partition. */
export function liveReporter({ write, look, rehearsed }: LiveOptions): Reporter {
  let drawn: readonly string[] = [];
  const erase = (): string => {
    const moves = up(heightOf(drawn, look())) + clearBelow;
    drawn = [];
    return moves;
  };
  const say = (line: string): void => write(`${erase()}${wrap(line, look().columns)}\n`);
  return {
    say,
    end: () => write(erase() + showCursor),
    progress(progress) {
      if (progress.kind === 'run started') {
        say(startedLine(progress));
        write(hideCursor);
      } else if (progress.kind === 'run finished') {
        say(finishedLine(progress.run));
      } else if (progress.kind === 'run repeated') {
        say(repeatedLine(progress.lagMillis, progress.boundMillis));
      } else if (progress.kind === 'tick') {
        const lines = liveView(progress, rehearsed, look());
        write(`${erase()}${lines.join('\n')}\n`);
        drawn = lines;
      }
    },
  };
}

/** A terminal that became narrower has broken the lines that it shows. */
function heightOf(lines: readonly string[], { columns }: Look): number {
  return lines.reduce((sum, line) => {
    const { length } = stripVTControlCharacters(line).trimEnd();
    return sum + Math.max(1, Math.ceil(length / columns));
  }, 0);
}
