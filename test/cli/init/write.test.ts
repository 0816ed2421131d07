import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { replaceAll, type Replacement } from '../../../cli/init/write.ts';
import { folder, type Folder } from '../../config/folder.ts';

let made: Folder;
beforeEach(() => {
  made = folder({ 'a.js': 'a', 'b.js': 'b' });
});
afterEach(() => made[Symbol.dispose]());

const path = (name: string): string => join(made.path, name);
const read = (name: string): string => readFileSync(path(name), 'utf8');
const change = (name: string, before: string | undefined): Replacement => ({
  name,
  path: path(name),
  before: before === undefined ? undefined : Buffer.from(before),
  after: `new ${name}`,
});

test('all files are written, with the rights they had, and nothing is left beside them', async () => {
  chmodSync(path('a.js'), 0o755);
  await replaceAll([change('c.json', undefined), change('a.js', 'a'), change('b.js', 'b')]);
  expect(['a.js', 'b.js', 'c.json'].map(read)).toEqual(['new a.js', 'new b.js', 'new c.json']);
  expect(statSync(path('a.js')).mode & 0o777).toBe(0o755);
  expect(readdirSync(made.path)).toEqual(['a.js', 'b.js', 'c.json']);
});

test.each<[string, string, string | undefined, RegExp]>([
  ['one has changed since it was read', 'b.js', 'old', /b\.js: it has changed since it was read/],
  ['one is not there any more', 'gone.js', 'x', /gone\.js: /],
  ['what is to be new is there already', 'b.js', undefined, /b\.js: it is there already/],
  ['there is no place for one', 'no/folder.js', undefined, /no\/folder\.js: /],
])('nothing is written when %s', async (_, name, before, message) => {
  await expect(replaceAll([change('a.js', 'a'), change(name, before)])).rejects.toThrow(message);
  expect(['a.js', 'b.js'].map(read)).toEqual(['a', 'b']);
  expect(readdirSync(made.path)).toEqual(['a.js', 'b.js']);
});

test('a file behind a link is changed where it is', async () => {
  mkdirSync(path('real'));
  made.write('real/c.js', 'c');
  symlinkSync(path('real/c.js'), path('c.js'));
  await replaceAll([change('c.js', 'c')]);
  expect(read('real/c.js')).toBe('new c.js');
});
