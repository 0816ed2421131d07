import type { Rehearsal } from '../rehearsal/index.ts';
import { compare } from './comparison.ts';
import { readDocuments } from './read-documents.ts';
import { exitCodes } from './exit-codes.ts';
import type { Arguments } from './options.ts';
import { print } from './print.ts';
import { lookOf } from './text.ts';
import { Complaints } from './usage-error.ts';

/** Shows what changed between two result documents; 1 when an objective is newly missed, 4 when one is void. */
export async function compareCommand({ operands, faults }: Arguments): Promise<number> {
  const complaints = new Complaints(faults);
  const [before, after] = readDocuments(operands.slice(0, 2), complaints.files);
  complaints.throwIfAny();
  const { text, ...outcome } = compare(before as Rehearsal, after as Rehearsal, {
    ...lookOf(process.stdout, process.env),
    names: operands,
  });
  await print(text);
  if (outcome.void) return exitCodes.void;
  return outcome.worse ? exitCodes.notMet : exitCodes.met;
}
