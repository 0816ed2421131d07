/** What differs between two rehearsals, before it is shown. */
import type { ObjectiveResult, PartitionResult, Rehearsal } from '../rehearsal/index.ts';
import { brief, figure } from '../rehearsal/wording.ts';
import { count, duration, percent } from './text.ts';

export interface Change {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

export interface FigureChange extends Change {
  /** With an arrow: `▼ 73.6 points` */
  readonly by: string;
  /** Undefined where more or less says nothing about good or bad. */
  readonly better: boolean | undefined;
}

export interface ObjectiveChange {
  readonly met: boolean;
  readonly text: string;
}

export function settingChanges(before: Rehearsal, after: Rehearsal): Change[] {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  return Object.entries(now).flatMap(([label, value]) => {
    const was = old[label] ?? '';
    return was === value || was === '' || value === ''
      ? []
      : [{ label, before: was, after: value }];
  });
}

function settingsOf(rehearsal: Rehearsal): Record<string, string> {
  const { scenario, driver, server, max, timeScale, partitions = {} } = rehearsal;
  const sizes = Object.entries(partitions).map(([name, { size, max: own = size }]) =>
    own === size ? `${name}=${size}` : `${name}=${size}..${own}`,
  );
  return {
    scenario,
    driver,
    server,
    max: String(max),
    partitions: sizes.join(','),
    'time scale': String(timeScale),
  };
}

interface Figure {
  readonly label: string;
  /** Undefined where a partition has no such figure. */
  readonly of: (result: PartitionResult, timeScale: number) => number | undefined;
  readonly shown: (value: number) => string;
  /** Never nothing: only what is shown differently is asked for. */
  readonly by: (before: number, after: number) => string;
  /** Whether more of it is better, and how many times more (or less) is more than noise. */
  readonly moreIsBetter: boolean;
  readonly noise: number;
}

const hasDeadline = (result: PartitionResult): boolean => result.answerWithinMillis !== undefined;

const latency = (of: 'p50' | 'p99'): Figure => ({
  label: of,
  of: ({ served, latencyMillis }, timeScale) =>
    served === 0 ? undefined : latencyMillis[of] / timeScale,
  shown: duration,
  by: (before, after) => `${Math.max(1, Math.round(Math.abs(after / before - 1) * 100))} %`,
  moreIsBetter: false,
  noise: 1.2,
});

const counted = (
  label: string,
  of: (result: PartitionResult) => number | undefined,
  moreIsBetter: boolean,
): Figure => ({
  label,
  of,
  shown: count,
  by: (before, after) => count(Math.abs(after - before)),
  moreIsBetter,
  noise: 1,
});

const figures: readonly Figure[] = [
  {
    label: 'in time',
    of: (result) =>
      hasDeadline(result) && result.offered > 0 ? result.servedInTime / result.offered : undefined,
    shown: percent,
    by: (before, after) => `${Math.max(0.1, Math.abs(after - before) * 100).toFixed(1)} points`,
    moreIsBetter: true,
    noise: 1,
  },
  counted('served', (result) => (hasDeadline(result) ? undefined : result.served), true),
  latency('p50'),
  latency('p99'),
  counted('refused', ({ refused }) => refused, false),
  counted('timed out', ({ timedOut }) => timedOut, false),
  counted('failed', ({ failed }) => failed, false),
];

/** A partition in one run, and the scale in which its times are to be read. */
export interface Fared {
  readonly result: PartitionResult;
  readonly timeScale: number;
}

/** What is shown alike has not changed. */
export function figureChanges(before: Fared, after: Fared): FigureChange[] {
  return figures.flatMap((each) => {
    const [old, now] = [before, after].map(({ result, timeScale }) => each.of(result, timeScale));
    const [was, is] = [old, now].map((value) => (value === undefined ? '-' : each.shown(value)));
    if (was === undefined || is === undefined || was === is) return [];
    const change = { label: each.label, before: was, after: is };
    if (old === undefined || now === undefined) return [{ ...change, by: '', better: undefined }];
    const by = `${now > old ? '▲' : '▼'} ${each.by(old, now)}`;
    const matters = hasDeadline(after.result) || each.moreIsBetter;
    const noise = Math.max(old, now) <= Math.min(old, now) * each.noise;
    const better = matters && !noise ? now > old === each.moreIsBetter : undefined;
    return [{ ...change, by, better }];
  });
}

/** An objective that was not there before and is missed is newly missed, too. */
export function objectiveChanges(before: Rehearsal, after: Rehearsal): ObjectiveChange[] {
  const key = ({ run, name }: ObjectiveResult): string => `${run} ${name}`;
  const old = new Map(before.objectives.map((objective) => [key(objective), objective]));
  return after.objectives.flatMap((objective) => {
    const { met } = objective;
    const was = old.get(key(objective));
    if ((was?.met ?? true) === met) return [];
    const past = was === undefined ? '' : ` (it was ${figure(was, was.got)})`;
    return [{ met, text: `${met ? 'met now' : 'newly missed'}: ${brief(objective)}${past}` }];
  });
}
