/**
 * Runs the contract of the drivers on the oldest and the newest version of each that is supported,
 * on each supported Node. Installs both into a temporary folder; what is installed here stays.
 *
 *   npm run test:matrix                          everything
 *   npm run test:matrix -- --driver pg --node 22 a part of it
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';

const versions = {
  pg: ['8.16.1', 'latest'],
  mysql2: ['3.6.0', 'latest'],
  mongoose: ['8.10.0', '8', '9'],
};
const nodes = ['20', '22', '24'];

const { values } = parseArgs({
  options: { driver: { type: 'string' }, node: { type: 'string' } },
});
const drivers = chosen('driver', Object.keys(versions));
const majors = chosen('node', nodes);

const folder = mkdtempSync(join(tmpdir(), 'watertight-matrix-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const installedNodes = new Map();
const failed = [];
for (const driver of drivers) {
  for (const version of versions[driver]) {
    const installed = install(`${driver}@${version}`);
    for (const major of majors) {
      const name = `${driver} ${versionOf(installed, driver)} on Node ${major}`;
      process.stdout.write(`\n${name}\n`);
      if (!play(driver, join(installed, driver), major)) failed.push(name);
    }
  }
}
console.log(failed.length === 0 ? '\nEverything passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** The values of an option; all when it was not given. */
function chosen(option, known) {
  const given = values[option];
  if (given === undefined) return known;
  if (known.includes(given)) return [given];
  console.error(`--${option}: expected one of ${known.join(', ')}, got ${given}`);
  return process.exit(2);
}

/** Returns the folder of its modules. */
function install(specification) {
  const prefix = join(folder, specification.replaceAll('/', '-'));
  const { status } = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      prefix,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      specification,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  );
  if (status !== 0) throw new Error(`npm cannot install ${specification}`);
  return join(prefix, 'node_modules');
}

function versionOf(modules, name) {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
}

/** jest resolves the driver to the given folder, see jest.config.mjs. */
function play(driver, module, major) {
  const env = { ...process.env, WATERTIGHT_TEST_MODULES: JSON.stringify({ [driver]: module }) };
  const binaries = nodeOf(major);
  if (binaries !== undefined) env.PATH = `${binaries}${delimiter}${env.PATH}`;
  const { status } = spawnSync('npx', ['jest', `test/contract/${driver}`], {
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status === 0;
}

/** The folder of the Node of this major version, which comes from npm; undefined: the one we run on. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return undefined;
  if (!installedNodes.has(major)) {
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    installedNodes.set(major, join(install(`${name}@${major}`), name, 'bin'));
  }
  return installedNodes.get(major);
}
