/**
 * Makes sure that the server's programs start under the server's account. Two things may be in the
 * way: a folder above that this account may not enter (/root is 0700), and the names of shared
 * libraries, which the package's install script makes and npm may not have been allowed to run.
 * A copy in the temporary folder cures both; the installed package is never changed.
 */
import { spawn } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeError, RehearsalError } from '../errors.ts';
import type { Account } from './account.ts';

export async function usableNativeFolder(
  installed: string,
  temporary: string,
  account: Account,
): Promise<string> {
  if ((await faultOf(installed, account)) === undefined) return installed;
  const copy = join(temporary, 'native');
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  await addLibraryNames(copy);
  const fault = await faultOf(copy, account);
  if (fault === undefined) return copy;
  throw new RehearsalError(
    'ERR_NO_SERVER',
    `the embedded PostgreSQL does not start on this machine: ${fault}; give the URL of a server`,
  );
}

/** Why one of the programs does not even tell its version. */
async function faultOf(native: string, account: Account): Promise<string | undefined> {
  for (const program of ['initdb', 'postgres']) {
    const fault = await tryProgram(join(native, 'bin', program), account);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function tryProgram(program: string, account: Account): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, ['--version'], {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', (error) => resolve(describeError(error)));
    child.once('close', (code) => {
      const reason = describeError(said) || `exit code ${String(code)}`;
      resolve(code === 0 ? undefined : reason);
    });
  });
}

interface LibraryName {
  readonly source: string;
  readonly target: string;
}

/** What the package's install script does: `libpq.so.5` for `libpq.so.5.18`, and so on. */
async function addLibraryNames(native: string): Promise<void> {
  for (const { source, target } of await libraryNames(native)) {
    const at = join(native, '..', target);
    // One that is there already is as good.
    await symlink(basename(source), at).catch(() => undefined);
  }
}

async function libraryNames(native: string): Promise<readonly LibraryName[]> {
  try {
    const list: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
    return Array.isArray(list) ? list.filter(isLibraryName) : [];
  } catch {
    return [];
  }
}

/** Names beside their source and inside the folder only. */
function isLibraryName(entry: unknown): entry is LibraryName {
  if (typeof entry !== 'object' || entry === null) return false;
  const { source, target } = entry as Partial<LibraryName>;
  if (typeof source !== 'string' || typeof target !== 'string') return false;
  return dirname(source) === dirname(target) && !target.includes('..');
}
