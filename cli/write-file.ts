import { randomUUID } from 'node:crypto';
import { lstat, open, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CannotWrite, cannotWrite, codeOf } from './cannot-write.ts';
import { print } from './print.ts';

const outputs = ['json', 'junit', 'html'] as const;
type OutputName = (typeof outputs)[number];

/** Where each document is to go; `-` is stdout. */
export type Files = Readonly<Record<OutputName, string | undefined>>;
export type Contents = Readonly<Record<OutputName, () => string>>;

/**
 * Finds out before the rehearsal, not after it, that its result could not be written.
 * @returns a line for each file that cannot be
 */
export function faultsOfFiles(files: Files): Promise<string[]> {
  return forEach(files, async (option, file) => {
    if (file !== '-') await checkWritable(option, file);
  });
}

/**
 * What cannot be written keeps none of the others from being written.
 * @param onWritten is told each file that was
 * @returns a line for each that was not
 */
export function writeAll(
  files: Files,
  contents: Contents,
  onWritten: (file: string) => void,
): Promise<string[]> {
  return forEach(files, async (option, file, name) => {
    const content = contents[name]();
    if (file === '-') return await print(content, option);
    await writeWhole(option, file, content);
    onWritten(file);
  });
}

async function forEach(
  files: Files,
  act: (option: string, file: string, name: OutputName) => Promise<void>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const name of outputs) {
    const file = files[name];
    if (file === undefined) continue;
    try {
      await act(`--${name}`, file, name);
    } catch (error) {
      if (!(error instanceof CannotWrite)) throw error;
      faults.push(error.message);
    }
  }
  return faults;
}

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
      // Flushed, as some file systems find out only then that there is no space.
      await writeFile(beside, content, { flag: 'wx', flush: true });
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
  const target = await behindLinks(file);
  const state = await lstat(target).catch(() => undefined);
  if (state?.isDirectory()) throw new Error('it is a directory');
  return { target, replace: state === undefined || state.isFile() };
}

/** Also behind a link to what is not there yet. */
async function behindLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return file;
    const next = await readlink(file).catch(() => undefined);
    return next === undefined ? file : behindLinks(resolve(dirname(file), next));
  }
}

const temporaryName = (file: string): string => `${file}.${randomUUID().slice(0, 8)}.tmp`;
