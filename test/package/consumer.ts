import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

/** In this repository. */
export const isInstalled = (name: string): boolean => existsSync(join(root, 'node_modules', name));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Somebody else's project in a temporary folder, with the packed package installed. */
export interface Consumer {
  readonly folder: string;
  write(file: string, text: string): Promise<string>;
  /** Writes the file and runs it with this Node. */
  node(file: string, text: string, env?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** Runs this Node in the folder, or in one below it. */
  run(parameters: readonly string[], env?: NodeJS.ProcessEnv, below?: string): Promise<Outcome>;
  /** Checks files with `strict` on and `skipLibCheck` off. */
  typecheck(
    files: readonly string[],
    options?: Readonly<Record<string, unknown>>,
  ): Promise<Outcome>;
  remove(): Promise<void>;
}

/**
 * The package is packed and installed by npm without a network. Its peers are links to those of
 * this repository, which are there already.
 */
export async function makeConsumer(peers: readonly string[]): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'watertight-consumer-'));
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "private": true }');
  await npm(root, ['pack', '--ignore-scripts', '--pack-destination', folder]);
  await npm(folder, ['install', '--offline', '--ignore-scripts', './watertight-0.1.0.tgz']);
  for (const peer of peers) await link(folder, peer);
  const write = async (file: string, text: string): Promise<string> => {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const runNode: Consumer['run'] = (parameters, env = {}, below = '.') =>
    outcome(run(process.execPath, parameters, { cwd: join(folder, below), env }));
  return {
    folder,
    write,
    run: runNode,
    node: async (file, text, env) => runNode([await write(file, text)], env),
    async typecheck(files, options) {
      const compilerOptions = {
        ...{ strict: true, skipLibCheck: false, noEmit: true, types: ['node'] },
        ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'esnext.disposable'] },
        ...options,
      };
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
      return outcome(run(process.execPath, [tsc, '-p', folder], { cwd: folder }));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function npm(cwd: string, parameters: readonly string[]): Promise<void> {
  await run('npm', [...parameters, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd });
}

async function link(folder: string, name: string): Promise<void> {
  const target = join(folder, 'node_modules', name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(join(root, 'node_modules', name), target, 'dir');
}

async function outcome(
  running: Promise<{ readonly stdout: string; readonly stderr: string }>,
): Promise<Outcome> {
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    const { code, stdout, stderr } = error as Outcome;
    return { code, stdout, stderr };
  }
}
