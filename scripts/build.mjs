// Builds the package twice from one source: ES modules in dist/esm, CommonJS in dist/cjs.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
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
importInOnePlace('pg', /(drivers|rehearsal).pg.[\w-]+\.js$/);
importInOnePlace('mysql2', /(drivers|rehearsal).mysql2.[\w-]+\.js$/);
importInOnePlace('mysql2/promise', /(drivers|rehearsal).mysql2.[\w-]+\.js$/);
addNativeGetter();

function compile(project) {
  execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
}

/**
 * Whoever has not installed a driver is told so, with the command. A CommonJS module can say it; an
 * ES module cannot, since its imports fail before any of its code runs, so there the name of the
 * file says it: "Cannot find package 'pg' imported from …/npm-install-pg.js". It stays a plain
 * static import, which bundlers understand. Declarations keep the driver's own name.
 */
function importInOnePlace(specifier, importers) {
  const [driver] = specifier.split('/');
  const file = `npm-install-${specifier}.js`;
  const code = `export { default } from '${specifier}';\nexport * from '${specifier}';\n`;
  write(join(dist, 'esm', file), code);
  const template = readFileSync(join(root, 'scripts/npm-install.cjs'), 'utf8');
  write(
    join(dist, 'cjs', file),
    template.replaceAll('SPECIFIER', specifier).replaceAll('DRIVER', driver),
  );
  for (const name of readdirSync(dist, { recursive: true })) {
    if (importers.test(name)) redirect(join(dist, name), specifier, file);
  }
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function redirect(path, specifier, file) {
  const code = readFileSync(path, 'utf8');
  const imports = new RegExp(`^((?:import|export) .* from )'${specifier}';$`, 'gm');
  const redirected = code
    .replaceAll(imports, `$1'../../${file}';`)
    .replaceAll(`require("${specifier}")`, `require("../../${file}")`);
  if (redirected !== code) writeFileSync(path, redirected);
}

/** `export *` leaves out what is not enumerable: pg's lazy `native`. */
function addNativeGetter() {
  appendFileSync(
    join(dist, 'cjs/drivers/pg/index.js'),
    'Object.defineProperty(exports, "native", { configurable: true, get: () => pg_1.default.native });\n',
  );
}
