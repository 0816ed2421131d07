import type { Rehearsal } from '../rehearsal/index.ts';
import { compare } from './comparison.ts';
import { readDocuments } from './read-documents.ts';
import { exitCodes } from './exit-codes.ts';
import type { Arguments } from './options.ts';
import { lookOf } from './text.ts';

/** Shows what changed between two result documents; 1 when an objective is newly missed. */
export async function compareCommand({ operands }: Arguments): Promise<number> {
  const [before, after] = await readDocuments(operands);
  const { text, worse } = compare(before as Rehearsal, after as Rehearsal, {
    ...lookOf(process.stdout, process.env),
    names: operands,
  });
  process.stdout.write(text);
  return worse ? exitCodes.notMet : exitCodes.met;
}
