import { randomUUID } from 'node:crypto';
import { lstat, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { describeError } from '../rehearsal/errors.ts';
import { UsageError } from './usage-error.ts';

/** Finds out before the rehearsal, not after it, that its result could not be written. */
export async function checkWritable(option: string, file: string): Promise<void> {
  try {
    const { target, replace } = await resolveTarget(file);
    if (!replace) {
      await (await open(target, 'r+')).close();
      return;
    }
    const beside = temporaryName(target);
    await (await open(beside, 'wx')).close();
    await rm(beside);
  } catch (error) {
    throw cannotWrite(option, file, error);
  }
}

/** Written beside and then renamed: a reader, or a full disk, never leaves half of a document. */
export async function writeWhole(option: string, file: string, content: string): Promise<void> {
  try {
    const { target, replace } = await resolveTarget(file);
    if (!replace) return await writeFile(target, content);
    const beside = temporaryName(target);
    try {
      await writeFile(beside, content, { flag: 'wx' });
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  } catch (error) {
    throw cannotWrite(option, file, error);
  }
}

interface Target {
  readonly target: string;
  /** A device or a pipe is written to; putting a file in its place would destroy it. */
  readonly replace: boolean;
}

async function resolveTarget(file: string): Promise<Target> {
  const target = await realpath(file).catch(() => file);
  const state = await lstat(target).catch(() => undefined);
  if (state?.isDirectory()) throw new Error('it is a directory');
  return { target, replace: state === undefined || state.isFile() };
}

const temporaryName = (file: string): string => `${file}.${randomUUID().slice(0, 8)}.tmp`;

function cannotWrite(option: string, file: string, error: unknown): UsageError {
  return new UsageError([`${option}: cannot write ${file}: ${describeError(error)}`]);
}
