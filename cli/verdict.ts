import type { ObjectiveResult, Rehearsal, RunName } from '../rehearsal/index.ts';
import { count, paint, percent, wrap, type Look } from './text.ts';

/** Every objective with what came out and what was wanted. */
export function objectiveLines({ objectives }: Rehearsal, look: Look): string {
  const width = Math.max(...objectives.map(({ name, run }) => `${run}: ${name}`.length));
  const lines = objectives.map((objective) => {
    const { met, run, name, rule, limit } = objective;
    const mark = met ? paint(look, 'green', '✓') : paint(look, 'red', '✗');
    const got = figure(objective, objective.got);
    const wanted = `${rule} ${figure(objective, limit)}`;
    const text = `${`${run}: ${name}`.padEnd(width)}  ${got.padStart(7)}  (${wanted})`;
    return `  ${mark} ${met ? text : paint(look, 'red', text)}`;
  });
  return lines.join('\n');
}

/** One sentence that can be read out. */
export function verdict(rehearsal: Rehearsal, look: Look): string {
  const sentence = wrap(sentenceOf(rehearsal), look.columns);
  return paint(look, rehearsal.met ? 'green' : 'red', sentence);
}

function sentenceOf(rehearsal: Rehearsal): string {
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

/** When a partition misses far without the reports as well, its size is the reason and not a wall. */
function tooSmall({ runs }: Rehearsal): string {
  const baseline = runs.find(({ name }) => name === 'baseline')?.partitions ?? {};
  const names = Object.entries(baseline).flatMap(([name, { servedInTime, offered }]) =>
    servedInTime < offered * 0.95 ? [name] : [],
  );
  if (names.length === 0) return '';
  return ` Too small for its own load, also without the reports: ${names.join(', ')}.`;
}

function comparison({ runs, objectives, max }: Rehearsal): string {
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
    `with partitions ${shares('partitioned')} answered in time while the reports ran, ` +
    `from one shared pool of the same ${max} connections ${shares('shared')}`
  );
}

function brief(objective: ObjectiveResult): string {
  const { run, name, rule, got, limit } = objective;
  const where = run === 'partitioned' ? '' : `${run} `;
  return `${where}${name} ${figure(objective, got)}, wanted ${rule} ${figure(objective, limit)}`;
}

/** In the unit of the objective. */
export function figure({ unit }: ObjectiveResult, value: number | null): string {
  if (value === null) return 'nothing';
  if (unit === 'share') return percent(value);
  if (unit === 'ratio') return `${value.toFixed(2)}x`;
  return count(Math.ceil(value));
}
