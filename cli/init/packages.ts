import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { isPlainObject } from '../../src/config.ts';
import type { DriverName } from './place.ts';

/** A package.json of the service, or of one of several. */
export interface Package {
  /** Its folder, seen from the folder that init looks at: `.` or `apps/api`. */
  readonly folder: string;
  readonly dependencies: ReadonlyMap<string, string>;
}

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** @throws Error with what is wrong with it */
export function readPackage(root: string, path: string): Package {
  const text = readFileSync(join(root, path), 'utf8').replace(/^\uFEFF/, '');
  const given: unknown = JSON.parse(text);
  const dependencies = new Map<string, string>();
  for (const section of sections) {
    const listed = isPlainObject(given) ? given[section] : undefined;
    for (const [name, range] of isPlainObject(listed) ? Object.entries(listed) : []) {
      if (!dependencies.has(name)) dependencies.set(name, String(range));
    }
  }
  return { folder: posix.dirname(path), dependencies };
}

/** The package that a file belongs to: the nearest above it. */
export function packageOf(file: string, packages: readonly Package[]): Package | undefined {
  const above = packages.filter(({ folder }) => folder === '.' || file.startsWith(`${folder}/`));
  return above.toSorted((one, other) => depth(other) - depth(one))[0];
}

const depth = ({ folder }: Package): number => (folder === '.' ? 0 : folder.split('/').length);

type Version = readonly [number, number, number];

const oldest: Readonly<Record<DriverName | '@types/pg', Version>> = {
  pg: [8, 16, 1],
  '@types/pg': [8, 15, 1],
  mysql2: [3, 6, 0],
  mongoose: [8, 10, 0],
};

export interface Upgrade {
  readonly name: string;
  /** To install, `pg@^8.16.1`. */
  readonly to: string;
  /** Another major version: more than an install. */
  readonly from: number | undefined;
}

/** What is too old, in a package that uses these drivers. */
export function upgradesOf(
  root: string,
  { folder, dependencies }: Package,
  drivers: ReadonlySet<string>,
): Upgrade[] {
  return Object.entries(oldest).flatMap(([name, least]) => {
    const range = dependencies.get(name);
    if (range === undefined || !drivers.has(name.replace('@types/', ''))) return [];
    const version = parse(installed(join(root, folder), name) ?? range);
    if (!version || !isOlder(version, least)) return [];
    const from = version[0] < least[0] ? version[0] : undefined;
    return [{ name, to: `${name}@^${least.join('.')}`, from }];
  });
}

function installed(folder: string, name: string): string | undefined {
  const path = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(path)) {
    try {
      return String((JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown }).version);
    } catch {
      return undefined;
    }
  }
  const above = dirname(folder);
  return above === folder ? undefined : installed(above, name);
}

function parse(range: string): Version | undefined {
  const [, major, minor = '0', patch = '0'] =
    /^[\^~>=v\s]*(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(range) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

function isOlder(version: Version, least: Version): boolean {
  const index = version.findIndex((part, at) => part !== least[at]);
  return index >= 0 && (version[index] as number) < (least[index] as number);
}

const managers = [
  ['pnpm-lock.yaml', 'pnpm add'],
  ['yarn.lock', 'yarn add'],
  ['bun.lock', 'bun add'],
  ['bun.lockb', 'bun add'],
] as const;

/** The command that adds a dependency, by the lock file here or above. */
export function addCommand(folder: string): string {
  const found = managers.find(([file]) => existsSync(join(folder, file)));
  if (found) return found[1];
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, 'package-lock.json'))
    ? 'npm install'
    : addCommand(above);
}
