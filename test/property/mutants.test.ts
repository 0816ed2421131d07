import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from '@swc/core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INVARIANTS } from './invariants.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

/*
 * Each invariant is broken on purpose, to see its check fail: the random operations of
 * invariants.test.ts run against copies of src/, each with one small change.
 */
const ROOT = process.cwd();
const FOLDERS = ['src', 'test/fakes', 'test/property'];
const LIMIT_MILLIS = 600_000;

interface Broken {
  readonly invariant: string | undefined;
  readonly message: string;
}

/** Compiled modules by path. */
type Modules = ReadonlyMap<string, string>;

let home: string;
const results = new Map<Mutant | undefined, Broken[] | Error>();

beforeAll(async () => {
  // Inside node_modules, so that the copies find what they import.
  mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true });
  home = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'mutants-'));
  const modules = compileAll();
  const jobs: (Mutant | undefined)[] = [undefined, ...MUTANTS];
  const work = async (): Promise<void> => {
    for (let job = jobs.pop(); jobs.length > 0 || job; job = jobs.pop()) {
      results.set(job, await run(job, modules).catch((error: unknown) => error as Error));
    }
    if (!results.has(undefined)) results.set(undefined, await run(undefined, modules));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}, LIMIT_MILLIS);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the invariants notice code that', () => {
  test('is broken, and only such code', () => {
    expect(results.get(undefined)).toEqual([]);
  });

  test.each(MUTANTS)('$name ($breaks)', (mutant) => {
    const result = results.get(mutant);
    if (!Array.isArray(result)) throw result;
    expect(result.map(({ invariant }) => invariant)).toContain(mutant.breaks);
  });

  test('breaks any of them', () => {
    const broken = new Set(MUTANTS.map(({ breaks }) => breaks));
    expect([...broken].toSorted()).toEqual(Object.keys(INVARIANTS).toSorted());
  });
});

/** What the changed code breaks; nothing, for code that is not changed. */
async function run(mutant: Mutant | undefined, modules: Modules): Promise<Broken[]> {
  const folder = mkdtempSync(join(home, 'copy-'));
  for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true });
  for (const [path, code] of modules) writeFileSync(join(folder, path), code);
  if (mutant) {
    const path = `src/${mutant.file}.ts`;
    writeFileSync(join(folder, compiledName(path)), compile(change(mutant, readSource(path))));
  }
  const script = join(folder, 'test/property/mutant-run.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    timeout: LIMIT_MILLIS,
  });
  return JSON.parse(stdout) as Broken[];
}

function change({ name, file, from, to }: Mutant, source: string): string {
  const places = source.split(from).length - 1;
  if (places !== 1) {
    throw new Error(
      `the mutant '${name}' finds its text ${places} times in src/${file}.ts, not once; ` +
        `adapt it in test/property/mutants.ts:\n${from}`,
    );
  }
  return source.replace(from, () => to);
}

function compileAll(): Modules {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  );
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return new Map(sources.map((name) => [compiledName(name), compile(readSource(name))]));
}

const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const compiledName = (path: string): string => path.replace(/\.ts$/, '.mjs');

function compile(source: string): string {
  const { code } = transformSync(source, {
    configFile: false,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  return code.replaceAll(/(from ["']\.[^"']+)\.ts(["'])/g, '$1.mjs$2');
}
