import { RehearsalError } from '../errors.ts';
import type { ObjectiveResult, Rehearsal } from '../result.ts';
import type { PartitionResult } from '../tally.ts';
import { brief, busyNote, verdictOf } from '../wording.ts';

/** How a partition fared in the run `partitioned`, and what was wanted of it there. */
export interface PartitionReport extends PartitionResult {
  readonly name: string;
  readonly objectives: readonly ObjectiveResult[];
  /** True when every objective of this partition is met. */
  readonly met: boolean;
  /** One sentence: each objective that was missed (or, if none was, each) with got and wanted. */
  readonly summary: string;
}

/** The document that `watertight rehearse --json` writes, in words, and by partition. */
export interface RehearsalResult extends Rehearsal {
  /**
   * One sentence: that the walls hold, or which partition missed which objective, with got and
   * wanted. When the machine was too busy for the figures to be trusted, a second one says so.
   */
  readonly summary: string;
  /** @throws `ERR_REHEARSAL_OPTION` when the scenario has no such partition. */
  partition(name: string): PartitionReport;
}

export function resultOf(rehearsal: Rehearsal): RehearsalResult {
  const { runs, objectives } = rehearsal;
  const note = rehearsal.met ? undefined : busyNote(rehearsal);
  const played = runs.find(({ name }) => name === 'partitioned')?.partitions ?? {};
  return {
    ...rehearsal,
    summary: [verdictOf(rehearsal), ...(note === undefined ? [] : [note])].join(' '),
    partition(name) {
      const figures = played[name];
      if (figures === undefined) throw unknown(name, Object.keys(played));
      const own = objectives.filter(
        ({ run, partition }) => run === 'partitioned' && partition === name,
      );
      const met = own.every((objective) => objective.met);
      return { ...figures, name, objectives: own, met, summary: summaryOf(name, own) };
    },
  };
}

function summaryOf(name: string, objectives: readonly ObjectiveResult[]): string {
  const missed = objectives.filter(({ met }) => !met);
  if (missed.length > 0)
    return `The walls of ${name} do not hold: ${missed.map(brief).join('; ')}.`;
  return `The walls of ${name} hold: ${objectives.map(brief).join('; ')}.`;
}

function unknown(name: string, known: readonly string[]): RehearsalError {
  const message = `unknown partition '${name}'; the rehearsal has ${known.join(', ')}`;
  return new RehearsalError('ERR_REHEARSAL_OPTION', message);
}
