import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { url } from '../support/pg.ts';
import { isInstalled, makeConsumer, type Consumer } from './consumer.ts';

const pages = [
  'README.md',
  'docs/configuration.md',
  'docs/errors.md',
  'docs/mongoose.md',
  'docs/pg.md',
  'docs/mysql2.md',
  'docs/rehearsal.md',
  'docs/testing.md',
];
const examplePages = ['jest', 'vitest', 'node-test'].map(
  (runner) => `examples/rehearsal-${runner}/README.md`,
);
const root = join(__dirname, '../..');

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

const exampleTest = read('examples/rehearsal-node-test/rehearsal.test.mjs');

/** The blocks of one language in a page. */
const snippets = (page: string, language: string): string[] =>
  Array.from(read(page).matchAll(/^```(\w*)\n(.*?)^```$/gms))
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text);

const ok = { code: 0, stdout: '', stderr: '' };
let consumer: Consumer;

beforeAll(async () => {
  const runners = ['@jest/globals', 'expect', '@types/jest', 'vitest'].filter(isInstalled);
  consumer = await makeConsumer([
    'pg',
    '@types/pg',
    'mysql2',
    'mongoose',
    '@types/node',
    ...runners,
  ]);
});

afterAll(async () => {
  await consumer?.remove();
});

test('every TypeScript snippet of the documentation compiles against the package', async () => {
  const files: string[] = [];
  for (const page of pages) {
    for (const [index, text] of snippets(page, 'ts').entries()) {
      const file = `${page.replaceAll(/\W/g, '-')}-${index}.mts`;
      await consumer.write(file, text);
      files.push(file);
    }
  }
  expect(files.length).toBeGreaterThan(4);
  expect(await consumer.typecheck(files)).toEqual(ok);
});

describe('the matchers are known to TypeScript by the line for', () => {
  const lines = new Map(
    Array.from(
      read('docs/rehearsal.md').matchAll(/^\| ((?:jest|vitest)[^|]*?) +\| `(declare .*)` +\|$/gm),
      ([, runner = '', line = '']) => [runner.replaceAll('`', ''), line],
    ),
  );
  const judging = `
    import { rehearsalMatchers, type RehearsalMatchers, type RehearsalResult } from 'watertight/rehearsal';
    declare const result: RehearsalResult;
    expect.extend(rehearsalMatchers);
    expect(result).toMeetObjectives();
    expect(result.partition('order')).not.toMeetObjectives();
    // @ts-expect-error: a misspelt matcher
    expect(result).toMeetObjective();
  `;
  const withVitest = isInstalled('vitest') ? test : test.skip;

  test('jest with @jest/globals', async () => {
    const imported = `import { expect } from '@jest/globals';`;
    await consumer.write(
      'globals.test.mts',
      imported + judging + lines.get('jest with @jest/globals'),
    );
    expect(await consumer.typecheck(['globals.test.mts'])).toEqual(ok);
  });

  test('jest with @types/jest', async () => {
    await consumer.write('types.test.mts', judging + lines.get('jest with @types/jest'));
    const types = ['node', 'jest'];
    expect(await consumer.typecheck(['types.test.mts'], { types })).toEqual(ok);
  });

  withVitest('vitest 5', async () => {
    const imported = `import { expect } from 'vitest';`;
    await consumer.write('vitest.test.mts', imported + judging + lines.get('vitest 5'));
    await consumer.write('example.test.mts', read('examples/rehearsal-vitest/rehearsal.test.ts'));
    expect(await consumer.typecheck(['vitest.test.mts'])).toEqual(ok);
    expect(await consumer.typecheck(['example.test.mts'])).toEqual(ok);
  });
});

test('every program in the README runs', async () => {
  const programs = snippets('README.md', 'ts').filter(
    (text) => !text.includes('export ') && text !== exampleTest,
  );
  expect(programs.length).toBe(3);
  const printed: string[] = [];
  for (const program of programs) {
    const env = { DATABASE_URL: url() };
    const { code, stdout, stderr } = await consumer.node('program.mjs', program, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    printed.push(stdout);
  }
  expect(printed).toEqual(['', 'true 2\n', '0 0 0 0 0\n']);
});

test('the rehearsal in the README is that of an example, which runs in a test of its own', () => {
  expect(snippets('README.md', 'ts')).toContain(exampleTest);
});

test('the commands of the README are scripts of this package', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = snippets('README.md', 'sh').join('');
  for (const [, script] of commands.matchAll(/^npm ci && npm (?:run )?(\w+)$/gm)) {
    expect(Object.keys(scripts)).toContain(script);
  }
  expect(commands).toContain('npm ci && npm test\n');
  expect(commands).toContain('npm ci && npm run rehearse\n');
});

test('links between the pages lead somewhere', () => {
  for (const page of [...pages, ...examplePages, 'docs/design.md', 'CONTRIBUTING.md']) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const found = read(file === '' ? page : join(page, '..', file));
      if (anchor !== undefined)
        expect({ page, anchors: anchorsOf(found) }).toEqual({
          page,
          anchors: expect.arrayContaining([anchor]),
        });
    }
  }
});

/** As GitHub makes them from headings. */
const anchorsOf = (text: string): string[] =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
