/**
 * Plays libraries of other people on a partition: every program in test/compat/rows, on the packed
 * package, in test/compat, where the libraries are installed beside each other.
 *
 *   npm run test:compat                    all, with the versions of test/compat/package-lock.json
 *   npm run test:compat -- pg/kysely       those whose file names contain one of the words
 *   npm run test:compat -- --latest        with the newest versions; the lock file stays as it is
 *   npm run test:compat -- --write         writes docs/compatibility.md after everything was played
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const compat = join(root, 'test/compat');
/** The oldest drivers, for the type checks. */
const oldest = join(compat, 'oldest');
const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { latest: { type: 'boolean' }, write: { type: 'boolean' } },
});

// Prisma fetches its engine for migrations at its installation and before it generates, and leaves a
// folder among the temporary files where it cannot. Nobody needs it here: it is given one.
process.env.PRISMA_SCHEMA_ENGINE_BINARY = process.execPath;

run('npm', ['run', 'build'], root);
run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', compat], root);
run('npm', ['ci', ...quiet], compat);
if (values.latest) run('npm', ['update', '--no-save', ...quiet], compat);
const archive = `watertight-${process.env.npm_package_version}.tgz`;
try {
  run('npm', ['install', '--no-save', ...quiet, `./${archive}`], compat);
  run('npm', ['ci', ...quiet], oldest);
  run('npm', ['install', '--no-save', ...quiet, `../${archive}`], oldest);
} finally {
  rmSync(join(compat, archive));
}
run('npx', ['prisma', 'generate', '--schema', 'rows/pg/prisma/schema.prisma'], compat);
run('npx', ['tsc', '-p', '.'], compat);
run('npx', ['jest', '--selectProjects', 'compat'], root, {
  COMPAT_ROWS: positionals.join(' '),
  COMPAT_WRITE: values.write ? 'true' : '',
});

/** Ends this program with the code of a command that fails. */
function run(command, parameters, cwd, env = {}) {
  const { status } = spawnSync(command, parameters, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}
