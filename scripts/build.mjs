// Builds the package twice from one source: ES modules in dist/esm, CommonJS in dist/cjs.
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const tsc = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

rmSync(dist, { recursive: true, force: true });
compile('tsconfig.build.json');
compile('tsconfig.cjs.json');
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
importPgInOnePlace();
addNativeGetter();

function compile(project) {
  execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
}

/**
 * Whoever has not installed pg is told so, with the command. A CommonJS module can say it; an ES
 * module cannot, since its imports fail before any of its code runs, so there the name of the file
 * says it: "Cannot find package 'pg' imported from …/npm-install-pg.js". It stays a plain static
 * import, which bundlers understand. Declarations keep `pg`.
 */
function importPgInOnePlace() {
  const file = 'npm-install-pg.js';
  writeFileSync(join(dist, 'esm', file), "export { default } from 'pg';\nexport * from 'pg';\n");
  copyFileSync(join(root, 'scripts/npm-install-pg.cjs'), join(dist, 'cjs', file));
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!/(drivers|rehearsal).pg.[\w-]+\.js$/.test(name)) continue;
    const path = join(dist, name);
    const code = readFileSync(path, 'utf8');
    const redirected = code
      .replaceAll(/^((?:import|export) .* from )'pg';$/gm, `$1'../../${file}';`)
      .replaceAll('require("pg")', `require("../../${file}")`);
    if (redirected !== code) writeFileSync(path, redirected);
  }
}

/** `export *` leaves out what is not enumerable: pg's lazy `native`. */
function addNativeGetter() {
  appendFileSync(
    join(dist, 'cjs/drivers/pg/index.js'),
    'Object.defineProperty(exports, "native", { configurable: true, get: () => pg_1.default.native });\n',
  );
}
