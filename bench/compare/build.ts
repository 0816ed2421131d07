import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Built {
  readonly folder: string;
  /** What is imported. */
  readonly library: string;
}

const root = process.cwd();
const git = (...args: string[]): Buffer =>
  execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 });

/** The short hash, or undefined when there is no such commit. */
export function nameOf(commit: string): string | undefined {
  try {
    return git('rev-parse', '--verify', '--short', `${commit}^{commit}`).toString().trim();
  } catch {
    return undefined;
  }
}

/** True when nothing that is measured differs from the commit. */
export function isSame(commit: string): boolean {
  try {
    git('diff', '--quiet', commit, '--', 'src');
    return true;
  } catch {
    return false;
  }
}

/**
 * The library of another commit in a temporary folder, compiled by the tools of this tree: other
 * tools would be another difference. The working tree and the index are left alone.
 */
export function buildCommit(commit: string): Built | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'watertight-before-'));
  try {
    const files = git('archive', commit, 'src', 'tsconfig.json', 'package.json');
    execFileSync('tar', ['-x', '-C', folder], { input: files });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    compile(folder);
    const library = join(folder, 'built/src/index.js');
    if (existsSync(library)) return { folder, library: pathToFileURL(library).href };
  } catch {
    // Told by the caller.
  }
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}

function compile(folder: string): void {
  const manifest = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
  const options = [
    '--noEmit',
    'false',
    '--declaration',
    'false',
    '--isolatedDeclarations',
    'false',
  ];
  const paths = ['--rootDir', folder, '--outDir', join(folder, 'built')];
  const files = ['--project', join(folder, 'tsconfig.json')];
  execFileSync(process.execPath, [join(manifest, '../bin/tsc'), ...files, ...options, ...paths], {
    cwd: folder,
    stdio: 'ignore',
  });
}
