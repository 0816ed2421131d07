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

type Started = Extract<Progress, { kind: 'run started' }>;

const runTitles: Readonly<Record<RunName, (disturbance: string) => string>> = {
  shared: () => 'one shared pool',
  baseline: (disturbance) => `partitions, without the ${disturbance}`,
  partitioned: (disturbance) => `partitions, with the ${disturbance}`,
};

export const runTitle = (run: RunName, disturbance: string): string => runTitles[run](disturbance);

export function startedLine({ run, index, of, disturbance }: Started): string {
  return `${index + 1}/${of} ${run}: ${runTitle(run, disturbance)}`;
}

export function finishedLine({ partitions, void: isVoid }: RunResult): string {
  const parts = Object.entries(partitions).map(([name, result]) => {
    const { answerWithinMillis, served, servedInTime, offered } = result;
    if (answerWithinMillis === undefined) return `${name} served ${count(served)}`;
    return `${name} ${percent(offered === 0 ? 0 : servedInTime / offered)} in time`;
  });
  return `    ${isVoid ? 'void' : 'done'}: ${parts.join(', ')}`;
}

export function repeatedLine(lagMillis: number, boundMillis: number): string {
  return (
    `    once more: the machine was busy, arrivals were ${lagMillis.toFixed(1)} ms late at p99 ` +
    `(at most ${boundMillis.toFixed(1)} ms)`
  );
}
