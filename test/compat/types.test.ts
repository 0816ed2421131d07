import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { typescripts } from './catalog.ts';
import { run } from './run.ts';

/** The sources, as the entry points of the package that they become. */
const entries: readonly (readonly [string, string])[] = [
  ["'../../src/index.ts'", "'watertight'"],
  ["'../../rehearsal/library/index.ts'", "'watertight/rehearsal'"],
  ["'../../drivers/mysql2/promise.ts'", "'watertight/mysql2/promise'"],
  ...['pg', 'mysql2', 'mongoose'].map(
    (driver) => [`'../../drivers/${driver}/index.ts'`, `'watertight/${driver}'`] as const,
  ),
];

const compilerOptions = {
  ...{ strict: true, skipLibCheck: false, noEmit: true, esModuleInterop: true },
  ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'esnext.disposable'] },
  types: ['node'],
};

/** The type tests of this repository, as ES modules and as CommonJS modules of a user. */
function writeTypeTests(folder: string): void {
  const tests = join(__dirname, '../types');
  for (const file of readdirSync(tests)) {
    let text = readFileSync(join(tests, file), 'utf8');
    for (const [source, entry] of entries) text = text.replaceAll(source, entry);
    expect(text).not.toContain('../');
    for (const extension of ['mts', 'cts']) {
      writeFileSync(join(folder, file.replace(/ts$/, extension)), text);
    }
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
}

describe.each([
  ['newest', '.'],
  ['oldest', 'oldest'],
])('with the %s drivers', (_, below) => {
  let folder: string;
  beforeAll(() => {
    const home = join(__dirname, below, 'node_modules/.cache');
    mkdirSync(home, { recursive: true });
    folder = mkdtempSync(join(home, 'types-'));
    writeTypeTests(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(typescripts)(
    '%s accepts the types of the package',
    async (name) => {
      const compiler = join(__dirname, 'node_modules', name, 'bin/tsc');
      const { stdout, stderr } = await run(process.execPath, [compiler, '-p', folder]);
      expect(stderr).toBe('');
      expect(faultsIn(stdout)).toEqual([]);
    },
    180_000,
  );
});

/** pg-protocol's own declarations are for newer compilers than 5.4, without us as well. */
const faultsIn = (output: string): string[] =>
  output.split('\n').filter((line) => line !== '' && !/^\S*node_modules\/pg-protocol\//.test(line));
