import type { Progress, RunName, RunResult } from '../rehearsal/index.ts';
import { count, percent } from './text.ts';

/** Shows a rehearsal while it runs. */
export interface Reporter {
  progress(progress: Progress): void;
  /** A line that stays. */
  say(line: string): void;
  /** Leaves the terminal as it should be. */
  end(): void;
}

export const runTitles: Readonly<Record<RunName, string>> = {
  shared: 'one shared pool',
  baseline: 'partitions, without the reports',
  partitioned: 'partitions, with the reports',
};

export function startedLine(run: RunName, index: number, of: number): string {
  return `${index + 1}/${of} ${run}: ${runTitles[run]}`;
}

export function finishedLine({ partitions }: RunResult): string {
  const parts = Object.entries(partitions).map(([name, result]) => {
    const { answerWithinMillis, served, servedInTime, offered } = result;
    if (answerWithinMillis === undefined) return `${name} served ${count(served)}`;
    return `${name} ${percent(offered === 0 ? 0 : servedInTime / offered)} in time`;
  });
  return `    done: ${parts.join(', ')}`;
}

export function repeatedLine(lagMillis: number, boundMillis: number): string {
  return (
    `    once more: the machine was busy, arrivals were ${lagMillis.toFixed(1)} ms late at p99 ` +
    `(at most ${boundMillis.toFixed(1)} ms)`
  );
}
