// Builds the package twice from one source: ES modules in dist/esm, CommonJS in dist/cjs.
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as pg from 'pg';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const tsc = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

rmSync(dist, { recursive: true, force: true });
compile('tsconfig.build.json');
compile('tsconfig.cjs.json');
write('cjs/package.json', [
  '{ "type": "commonjs",',
  '  "imports": { "#pg": { "node-addons": "./require-pg.js", "default": "pg" } } }',
]);
explainMissingPg();
addNativeGetter();

function compile(project) {
  execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
}

function write(file, lines) {
  writeFileSync(join(dist, file), `${lines.join('\n')}\n`);
}

/**
 * What is compiled imports `#pg` in place of `pg`: in Node (condition "node-addons") that is pg by
 * way of load-pg.cjs, for its message; for a bundler it is plain `pg`. Declarations keep `pg`.
 */
function explainMissingPg() {
  const names = Object.keys(pg).filter((name) => !['default', 'module.exports'].includes(name));
  copyFileSync(join(root, 'scripts/load-pg.cjs'), join(dist, 'cjs/load-pg.cjs'));
  write('cjs/require-pg.js', [
    "const { error, pg } = require('./load-pg.cjs');",
    'if (error) throw error;',
    'module.exports = pg;',
  ]);
  write('esm/import-pg.js', [
    "import loaded from '../cjs/load-pg.cjs';",
    'const { error, pg } = loaded;',
    'if (error) throw error;',
    'export default pg;',
    `export const { ${names.join(', ')} } = pg;`,
  ]);
  readdirSync(dist, { recursive: true })
    .filter((file) => /(drivers|rehearsal).*\.js$/.test(file))
    .forEach((file) => redirectPg(join(dist, file)));
}

function redirectPg(path) {
  const code = readFileSync(path, 'utf8');
  const redirected = code
    .replaceAll(/^((?:import|export) .* from )'pg';$/gm, "$1'#pg';")
    .replaceAll('require("pg")', 'require("#pg")');
  if (redirected !== code) writeFileSync(path, redirected);
}

/** `export *` leaves out what is not enumerable: pg's lazy `native`. */
function addNativeGetter() {
  appendFileSync(
    join(dist, 'cjs/drivers/pg/index.js'),
    'Object.defineProperty(exports, "native", { configurable: true, get: () => pg_1.default.native });\n',
  );
}
