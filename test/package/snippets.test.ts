import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { url } from '../support/pg.ts';
import { makeConsumer, type Consumer } from './consumer.ts';

const pages = [
  'README.md',
  'docs/configuration.md',
  'docs/errors.md',
  'docs/pg.md',
  'docs/rehearsal.md',
];
const examplePages = ['jest', 'vitest', 'node-test'].map(
  (runner) => `examples/rehearsal-${runner}/README.md`,
);
const root = join(__dirname, '../..');

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

const exampleTest = read('examples/rehearsal-node-test/rehearsal.test.js');

/** The blocks of one language in a page. */
const snippets = (page: string, language: string): string[] =>
  Array.from(read(page).matchAll(/^```(\w*)\n(.*?)^```$/gms))
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text);

let consumer: Consumer;

beforeAll(async () => {
  consumer = await makeConsumer(['pg', '@types/pg', 'mysql2', 'mongoose', '@types/node']);
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
  expect(await consumer.typecheck(files)).toEqual({ code: 0, stdout: '', stderr: '' });
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
