import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What no service is written in. */
const ignoredFolders = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor']);
const source = /(?<!\.d)\.[cm]?[jt]sx?$/;
/** Above this a file is no longer written by hand. */
const maxBytes = 1_000_000;

/** Paths, with `/`, of the files in a folder that may be code, and of its package.json files. */
export function sourceFiles(folder: string): string[] {
  return (listedByGit(folder) ?? listed(folder, ''))
    .filter((path) => source.test(path) || basename(path) === 'package.json')
    .filter((path) => !path.split('/').slice(0, -1).some(isIgnored))
    .filter((path) => isReadable(join(folder, path)))
    .toSorted();
}

const isIgnored = (name: string): boolean => ignoredFolders.has(name) || name.startsWith('.');

/** Without what `.gitignore` leaves out; undefined where there is no repository, or no git. */
function listedByGit(folder: string): string[] | undefined {
  // A repository that somebody else made does not get to name a program that runs here.
  const safely = ['-C', folder, '-c', 'core.fsmonitor=false'];
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  try {
    const output = execFileSync('git', [...safely, ...list], {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    });
    const paths = output.toString().split('\0').filter(Boolean);
    // A folder that the repository around it ignores is empty to git.
    return paths.length > 0 ? [...new Set(paths)] : undefined;
  } catch {
    return undefined;
  }
}

function listed(folder: string, under: string): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    if (entry.isDirectory()) return isIgnored(entry.name) ? [] : listed(folder, path);
    return [path];
  });
}

/** Not a link, which may lead anywhere, and there: git also lists what was deleted. */
function isReadable(path: string): boolean {
  const state = lstatSync(path, { throwIfNoEntry: false });
  return state !== undefined && state.isFile() && state.size <= maxBytes;
}
