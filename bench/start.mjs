// Compiles the bench, with a copy of the library, into a folder of its own and runs it there: what
// is edited or built meanwhile does not change what is measured.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tsc = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);
// Within the package, so that the peers are found.
mkdirSync(join(root, '.bench'), { recursive: true });
const folder = mkdtempSync(join(root, '.bench/'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const [program = 'main', ...rest] = process.argv.slice(2);
const main = join(folder, 'bench', `${program}.js`);
compile();

const child = spawn(process.execPath, [main, ...rest], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

/** A fault of types is the business of another command; what could be compiled is measured. */
function compile() {
  const project = ['-p', join(root, 'tsconfig.bench.json'), '--outDir', folder];
  try {
    execFileSync(process.execPath, [tsc, ...project], { cwd: root, stdio: 'inherit' });
  } catch {
    if (!existsSync(main)) process.exit(1);
  }
}
