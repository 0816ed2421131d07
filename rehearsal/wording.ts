/** A rehearsal in words, for a terminal, a test report or a log: no colours and no line breaks. */
import type { ObjectiveResult, Rehearsal, RunName, RunResult } from './result.ts';

/** Whole figures with a thin mark every three digits. */
export const count = (value: number): string => value.toLocaleString('en-US');

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

/** The verdict: one sentence that can be read out. */
export function verdictOf(rehearsal: Rehearsal): string {
  if (rehearsal.void) return voidVerdict(rehearsal);
  const missed = rehearsal.objectives.filter(({ met }) => !met);
  const notStarved = missed.filter(({ run, unit }) => run === 'shared' && unit === 'share');
  if (missed.length === 0) return `The walls hold: ${comparison(rehearsal)}.`;
  if (notStarved.length > 0) {
    return (
      `This rehearsal proved nothing: the shared pool did not starve (${notStarved.map(brief).join('; ')}); ` +
      'the load is too light for this pool to reproduce the incident.'
    );
  }
  return `The walls do not hold: ${missed.map(brief).join('; ')}.${tooSmall(rehearsal)}`;
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
function tooSmall({ runs, disturbance }: Rehearsal): string {
  const baseline = runs.find(({ name }) => name === 'baseline')?.partitions ?? {};
  const names = Object.entries(baseline).flatMap(([name, { servedInTime, offered }]) =>
    servedInTime < offered * 0.95 ? [name] : [],
  );
  if (names.length === 0) return '';
  return ` Too small for its own load, also without the ${disturbance}: ${names.join(', ')}.`;
}

function comparison({ runs, objectives, max, disturbance }: Rehearsal): string {
  const judged = objectives.flatMap(({ run, unit, partition }) =>
    run === 'shared' && unit === 'share' && partition !== undefined ? [partition] : [],
  );
  const shares = (name: RunName): string => {
    const partitions = runs.find((run) => run.name === name)?.partitions ?? {};
    return judged
      .map((partition) => {
        const { servedInTime = 0, offered = 0 } = partitions[partition] ?? {};
        return `${partition} ${percent(offered === 0 ? 0 : servedInTime / offered)}`;
      })
      .join(', ');
  };
  return (
    `with partitions ${shares('partitioned')} answered in time while the ${disturbance} ran, ` +
    `from one shared pool of the same ${max} connections ${shares('shared')}`
  );
}
