import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { describeError } from '../../rehearsal/errors.ts';
import { CannotWrite } from '../cannot-write.ts';

/** What a file is to be. */
export interface Replacement {
  /** As messages name it. */
  readonly name: string;
  readonly path: string;
  /** What it was when it was read; undefined: there was none, and there must be none. */
  readonly before: Buffer | undefined;
  readonly after: string;
}

interface Staged extends Replacement {
  readonly target: string;
  /** The new content, beside it. */
  readonly beside: string;
}

/**
 * Writes all files or none. Everything is beside its place before the first of them is put there.
 * @throws CannotWrite
 */
export async function replaceAll(replacements: readonly Replacement[]): Promise<void> {
  const staged: Staged[] = [];
  const done: Staged[] = [];
  try {
    for (const one of replacements) staged.push(await named(one, () => stage(one)));
    for (const one of staged) await named(one, () => checkUnchanged(one));
    for (const one of staged) {
      await named(one, () => put(one));
      done.push(one);
    }
  } catch (error) {
    for (const one of done) await putBack(one);
    throw error;
  } finally {
    for (const { beside } of staged) await rm(beside, { force: true });
  }
}

async function named<T>({ name }: Replacement, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new CannotWrite(`--write: nothing is written: ${name}: ${reasonOf(error)}`);
  }
}

const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'it is there already' : describeError(error);

async function stage(replacement: Replacement): Promise<Staged> {
  const { path, before, after } = replacement;
  const target = before === undefined ? path : await realpath(path);
  const beside = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(beside, after, { flag: 'wx', flush: true });
    if (before !== undefined) await chmod(beside, (await stat(target)).mode);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return { ...replacement, target, beside };
}

async function checkUnchanged({ target, before }: Staged): Promise<void> {
  if (before === undefined || before.equals(await readFile(target))) return;
  throw new Error('it has changed since it was read');
}

/** A link, unlike a rename, takes the place of nothing. */
async function put({ before, beside, target }: Staged): Promise<void> {
  await (before === undefined ? link(beside, target) : rename(beside, target));
}

async function putBack({ before, target }: Staged): Promise<void> {
  await (before === undefined ? rm(target, { force: true }) : writeFile(target, before));
}
