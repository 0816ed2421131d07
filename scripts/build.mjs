// Builds the package twice from one source: ES modules in dist/esm, CommonJS in dist/cjs.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tsc = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);
const compile = (...flags) =>
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...flags], {
    cwd: root,
    stdio: 'inherit',
  });

rmSync(join(root, 'dist'), { recursive: true, force: true });
compile();
compile(
  ...['--module', 'commonjs', '--moduleResolution', 'bundler'],
  ...['--verbatimModuleSyntax', 'false', '--esModuleInterop', 'true', '--outDir', 'dist/cjs'],
);
writeFileSync(join(root, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
