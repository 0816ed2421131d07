import type { Tick } from '../rehearsal/index.ts';
import { finishedLine, repeatedLine, startedLine, type Reporter } from './reporter.ts';
import { bar, clip, count, paint, type Look } from './text.ts';

export interface LiveOptions {
  readonly write: (text: string) => void;
  /** Asked for every frame: the window may change its size. */
  readonly look: () => Look;
  readonly max: number;
}

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const clearBelow = '\r\u001B[J';
const up = (lines: number): string => (lines > 0 ? `\u001B[${lines}A` : '');

/** For a terminal: a few lines that are drawn over again, a line for each partition. */
export function liveReporter({ write, look, max }: LiveOptions): Reporter {
  let drawn = 0;
  const erase = (): string => {
    const moves = up(drawn) + clearBelow;
    drawn = 0;
    return moves;
  };
  const say = (line: string): void => write(`${erase()}${line}\n`);
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
        const lines = frame(progress, max, look());
        write(`${erase()}${lines.join('\n')}\n`);
        drawn = lines.length;
      }
    },
  };
}

/** Exported for its tests: what one tick looks like, never wider than the terminal. */
export function frame(tick: Tick, max: number, look: Look): string[] {
  const names = Object.keys(tick.partitions);
  const width = Math.max(...names.map((name) => name.length));
  const left = Math.max(0, Math.ceil((tick.totalMillis - tick.elapsedMillis) / 1_000));
  const done = Math.min(1, tick.elapsedMillis / tick.totalMillis);
  const head = `    ${bar(done, 16)} ${tick.phase}, ${left} s left, ${tick.connections} of ${max} connections`;
  const rows = names.map((name) => {
    const { inUse, waiting, served, servedInTime, lost } = tick.partitions[name] ?? empty;
    return (
      `    ${name.padEnd(width)}  in use ${pad(inUse, 2)}  waiting ${pad(waiting, 5)}` +
      `  in time ${pad(servedInTime, 5)}  late ${pad(served - servedInTime, 5)}  lost ${pad(lost, 5)}`
    );
  });
  return [
    paint(look, 'cyan', clip(head, look.columns - 1)),
    ...rows.map((row) => clip(row, look.columns - 1)),
  ];
}

const empty = { inUse: 0, waiting: 0, served: 0, servedInTime: 0, lost: 0 };
const pad = (value: number, width: number): string => count(value).padStart(width);
