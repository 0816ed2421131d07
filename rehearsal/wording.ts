/** A rehearsal in words, for a terminal, a test report or a log: no colours and no line breaks. */
import type { ObjectiveResult, Rehearsal, RunName, RunResult } from './result.ts';

/** Whole figures with a thin mark every three digits. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** `order`, `order and search`, `order, search and batch`. */
export function listed(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

/** A part of a whole. 100 % only when it is all of it, 0 % only when it is nothing. */
export function percent(share: number): string {
  const tenths = Math.floor(share * 1_000 + 1e-9);
  if (share > 0 && tenths === 0) return '< 0.1 %';
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`;
}

/** What an objective got or wanted, in its unit. */
export function figure({ unit }: ObjectiveResult, value: number | null): string {
  if (value === null) return 'nothing';
  if (unit === 'share') return percent(value);
  if (unit === 'ratio') return `${value.toFixed(2)}x`;
  return count(Math.ceil(value));
}

/** `at least 99.9 %` */
export const wanted = (objective: ObjectiveResult): string =>
  `${objective.rule} ${figure(objective, objective.limit)}`;

/** `order answered in time 26.4 %, wanted at least 99.9 %` */
export function brief(objective: ObjectiveResult): string {
  const { run, name, got } = objective;
  const where = run === 'partitioned' ? '' : `${run} `;
  return `${where}${name} ${figure(objective, got)}, wanted ${wanted(objective)}`;
}

/** For whom the word is new. */
export const wallsExplained: string =
  'Walls are what divides one pool of connections into partitions: behind them each partition has ' +
  'connections of its own, which no other can take.';

/** The verdict: one sentence that can be read out. */
export function verdictOf(rehearsal: Rehearsal): string {
  if (rehearsal.void) return voidVerdict(rehearsal);
  const missed = rehearsal.objectives.filter(({ met }) => !met);
  const notStarved = missed.filter(({ run, unit }) => run === 'shared' && unit === 'share');
  if (missed.length === 0) return `The walls hold: ${protection(rehearsal)}.`;
  if (notStarved.length > 0) {
    return (
      `This rehearsal proved nothing: the shared pool did not starve (${notStarved.map(brief).join('; ')}); ` +
      'the load is too light for this pool to reproduce the incident.'
    );
  }
  return `The walls do not hold: ${missed.map(brief).join('; ')}${reasonOf(rehearsal)}.`;
}

function voidVerdict(rehearsal: Rehearsal): string {
  const slower = rehearsal.timeScale < 1 ? ', or with a larger time scale' : '';
  return (
    'Void: nothing is proven, neither that the walls hold nor that they do not, as the machine was ' +
    `too busy to send the requests in time (${voidRuns(rehearsal)}); ` +
    `rehearse on a quieter machine${slower}.`
  );
}

/** `baseline at best 31.2 ms late at p99, void above 15 ms` */
export function voidRuns({ runs }: Rehearsal): string {
  const hopeless = runs.filter((run) => run.void);
  // None by itself: but what was missed could be the lateness of these.
  const late = hopeless.length > 0 ? hopeless : runs.filter(({ keptSchedule }) => !keptSchedule);
  return late
    .map(({ name, arrivalLagMillis, lagBoundMillis, voidBoundMillis, void: isVoid }) => {
      const bound = isVoid
        ? `void above ${ms(voidBoundMillis)}`
        : `wanted at most ${ms(lagBoundMillis)}`;
      return `${name} at best ${ms(arrivalLagMillis.p99)} late at p99, ${bound}`;
    })
    .join('; ');
}

/** With what a run begins, how late its requests were sent, and how late they may be. */
export function conduct({ runs }: Rehearsal): string {
  const lag = ({ name, arrivalLagMillis, lagBoundMillis, voidBoundMillis }: RunResult): string =>
    `${name} ${ms(arrivalLagMillis.p99)} ` +
    `(wanted at most ${ms(lagBoundMillis)}, void above ${ms(voidBoundMillis)})`;
  return (
    'Every run opened all its connections before the first request. ' +
    `Requests were sent late at p99: ${runs.map(lag).join(', ')}.`
  );
}

/** As exact as it is measured: what is above a bound is never shown as if it were not. */
const ms = (millis: number): string => `${Number(millis.toFixed(2))} ms`;

/** Latencies of a machine that is busy with something else are not those of the pool. */
export function busyNote({ runs, void: isVoid }: Rehearsal): string | undefined {
  const late = runs.filter(({ keptSchedule }) => !keptSchedule);
  if (late.length === 0 || isVoid) return undefined;
  const lags = late.map(({ name, arrivalLagMillis: { p99 } }) => `${name} ${p99.toFixed(1)} ms`);
  return (
    'Take these figures with care: the machine was busy, and requests were sent late ' +
    `(p99: ${lags.join(', ')}).`
  );
}

/** When a partition misses far without what disturbs as well, its size is the reason and not a wall. */
function reasonOf(rehearsal: Rehearsal): string {
  const { disturbance } = rehearsal;
  const small = protectedPartitions(rehearsal).filter(
    (name) => inTimeOf(rehearsal, 'baseline', name) < 0.95,
  );
  if (small.length > 0)
    return `; too small for its own load, also without the ${disturbance}: ${small.join(', ')}`;
  const harmed = protectedPartitions(rehearsal).filter((name) =>
    rehearsal.objectives.some(
      ({ run, partition, met }) => run === 'partitioned' && partition === name && !met,
    ),
  );
  if (harmed.length === 0) return '';
  return `; ${listed(harmed)} ${harmed.length === 1 ? 'is' : 'are'} not protected from the ${disturbance}`;
}

function protection(rehearsal: Rehearsal): string {
  const { max, disturbance } = rehearsal;
  const names = protectedPartitions(rehearsal);
  const shares = (run: RunName): string[] =>
    names.map((name) => percent(inTimeOf(rehearsal, run, name)));
  const after = shares('partitioned').map((share, index) => `${share} of the ${names[index]}`);
  return (
    `the ${disturbance} could not take the connections of ${listed(names)}, so ${listed(after)} requests ` +
    `were answered in time, up from ${listed(shares('shared'))} when all shared the same ${max} connections`
  );
}

/** Those who must starve in the shared pool, and must not with partitions. */
const protectedPartitions = ({ objectives }: Rehearsal): string[] =>
  objectives.flatMap(({ run, unit, partition }) =>
    run === 'shared' && unit === 'share' && partition !== undefined ? [partition] : [],
  );

function inTimeOf({ runs }: Rehearsal, run: RunName, partition: string): number {
  const { servedInTime = 0, offered = 0 } =
    runs.find(({ name }) => name === run)?.partitions[partition] ?? {};
  return offered === 0 ? 0 : servedInTime / offered;
}
