import { RehearsalError } from '../errors.ts';
import type { ObjectiveResult, Rehearsal } from '../result.ts';
import type { PartitionResult } from '../tally.ts';
import { brief, busyNote, verdictOf } from '../wording.ts';

/** How a partition fared in the run `partitioned`, and what was wanted of it there. */
export interface PartitionReport extends PartitionResult {
  readonly name: string;
  readonly objectives: readonly ObjectiveResult[];
  /** As of the whole rehearsal: nothing is proven, of this partition either. */
  readonly void: boolean;
  /** True when every objective of this partition is met, and the rehearsal is not void. */
  readonly met: boolean;
  /**
   * One sentence: each objective that was missed (or, if none was, each) with got and wanted; or
   * that the rehearsal is void, and why.
   */
  readonly summary: string;
}

/** The document that `watertight rehearse --json` writes, in words, and by partition. */
export interface RehearsalResult extends Rehearsal {
  /**
   * One sentence: that the walls hold, or which partition missed which objective, with got and
   * wanted; or that the rehearsal is void, and why. When the machine was busy, and not so busy that
   * it is void, a second one says so.
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
      const isVoid = rehearsal.void;
      const met = !isVoid && own.every((objective) => objective.met);
      const summary = isVoid ? verdictOf(rehearsal) : summaryOf(name, own);
      return { ...figures, name, objectives: own, void: isVoid, met, summary };
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
