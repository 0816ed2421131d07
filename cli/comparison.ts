import type { PartitionResult, Rehearsal, RunName, RunResult } from '../rehearsal/index.ts';
import { busyNote, voidRuns } from '../rehearsal/wording.ts';
import { figureChanges, objectiveChanges, settingChanges } from './changes.ts';
import type { Change, Fared, FigureChange, ObjectiveChange } from './changes.ts';
import { clip, paint, wrap, type Look, type Style } from './text.ts';

export interface CompareLook extends Look {
  /** What the two are called, such as their files. */
  readonly names: readonly string[];
}

export interface Comparison {
  readonly text: string;
  /** One of the two proves nothing: then neither is better or worse. */
  readonly void: boolean;
  readonly worse: boolean;
}

export function compare(before: Rehearsal, after: Rehearsal, look: CompareLook): Comparison {
  const voids = [before, after].flatMap((rehearsal, index) => voidNote(rehearsal, index, look));
  const objectives = voids.length > 0 ? [] : objectiveChanges(before, after);
  const lines = [
    paint(look, 'bold', wrap(look.names.join(' → '), look.columns)),
    ...section('settings', settingLines(settingChanges(before, after), look), look),
    ...(voids.length > 0 ? ['', ...voids] : differences(before, after, objectives, look)),
    '',
  ];
  const worse = objectives.some(({ met }) => !met);
  return { text: lines.join('\n'), void: voids.length > 0, worse };
}

function differences(
  before: Rehearsal,
  after: Rehearsal,
  objectives: readonly ObjectiveChange[],
  look: CompareLook,
): string[] {
  return [
    ...after.runs.flatMap(({ name }) => section(name, runLines(name, before, after, look), look)),
    ...section('objectives', objectiveLines(objectives, look), look),
    '',
    ...[before, after].flatMap((rehearsal, index) => careNote(rehearsal, index, look)),
    verdict(objectives, look),
  ];
}

const section = (title: string, lines: readonly string[], look: Look): string[] =>
  lines.length === 0 ? [] : ['', paint(look, 'bold', title), ...lines];

function settingLines(changes: readonly Change[], { columns }: Look): string[] {
  const width = widest(changes, 'label');
  return changes.map(({ label, before, after }) =>
    indented(`${label.padEnd(width)}  ${before} → ${after}`, columns),
  );
}

interface Line extends Change {
  readonly partition: string;
  readonly by: string;
  readonly style: Style | undefined;
}

function runLines(run: RunName, before: Rehearsal, after: Rehearsal, look: Look): string[] {
  const [old, now] = [partitionsOf(before, run), partitionsOf(after, run)];
  const names = [...new Set([...Object.keys(now), ...Object.keys(old)])];
  const lines = names.flatMap((name) =>
    partitionLines(name, run, fared(old[name], before), fared(now[name], after)),
  );
  const partition = Math.max(0, ...names.map((name) => name.length));
  const [label, was, is] = [
    widest(lines, 'label'),
    widest(lines, 'before'),
    widest(lines, 'after'),
  ];
  return lines.map((line) => {
    const head = `  ${line.partition.padEnd(partition)}  ${line.label.padEnd(label)}`;
    const figures = `  ${line.before.padStart(was)} → ${line.after.padEnd(is)}  ${line.by}`;
    const text = clip((line.before === '' ? head : head + figures).trimEnd(), look.columns);
    return line.style === undefined ? text : paint(look, line.style, text);
  });
}

const partitionsOf = ({ runs }: Rehearsal, run: RunName): RunResult['partitions'] =>
  runs.find(({ name }) => name === run)?.partitions ?? {};

const fared = (result: PartitionResult | undefined, { timeScale }: Rehearsal): Fared | undefined =>
  result && { result, timeScale };

/** The name only once. A shared pool is there to collapse: in its run nothing is good or bad. */
function partitionLines(
  partition: string,
  run: RunName,
  before: Fared | undefined,
  after: Fared | undefined,
): Line[] {
  const alone = (label: string): Line[] => [
    { partition, label, before: '', after: '', by: '', style: undefined },
  ];
  if (before === undefined) return alone('new');
  if (after === undefined) return alone('gone');
  const changes = figureChanges(before, after);
  if (changes.length === 0) return alone('no change');
  return changes.map((change, index) => ({
    ...change,
    partition: index === 0 ? partition : '',
    style: run === 'shared' ? undefined : styleOf(change),
  }));
}

function styleOf({ better }: FigureChange): Style | undefined {
  if (better === undefined) return undefined;
  return better ? 'green' : 'red';
}

function careNote(rehearsal: Rehearsal, index: number, look: CompareLook): string[] {
  const note = busyNote(rehearsal);
  if (note === undefined) return [];
  return [paint(look, 'yellow', wrap(`${look.names[index]}: ${note}`, look.columns))];
}

function voidNote(rehearsal: Rehearsal, index: number, look: CompareLook): string[] {
  if (!rehearsal.void) return [];
  const note = `Void: nothing can be compared with ${look.names[index]} (${voidRuns(rehearsal)}).`;
  return [paint(look, 'yellow', wrap(note, look.columns))];
}

function objectiveLines(changes: readonly ObjectiveChange[], look: Look): string[] {
  return changes.map(({ met, text }) =>
    paint(look, met ? 'green' : 'red', indented(`${met ? '✓' : '✗'} ${text}`, look.columns)),
  );
}

function verdict(changes: readonly ObjectiveChange[], look: Look): string {
  const missed = changes.filter(({ met }) => !met).length;
  if (missed === 0) return paint(look, 'green', 'No objective is newly missed.');
  const which = missed === 1 ? '1 objective is' : `${missed} objectives are`;
  return paint(look, 'red', `Worse: ${which} newly missed.`);
}

const indented = (text: string, columns: number): string =>
  `  ${wrap(text, columns - 4).replaceAll('\n', '\n    ')}`;

const widest = (changes: readonly Change[], column: 'label' | 'before' | 'after'): number =>
  Math.max(0, ...changes.map((change) => change[column].length));
