import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkWritable, writeWhole } from '../../cli/write-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the check leaves nothing, neither a new file nor a change to an old one', async () => {
  await checkWritable('--json', join(folder, 'new.json'));
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, 'old.json'), 'old');
  await checkWritable('--json', join(folder, 'old.json'));
  expect(readFileSync(join(folder, 'old.json'), 'utf8')).toBe('old');
});

test('a document takes the place of the old one, also behind a link', async () => {
  writeFileSync(join(folder, 'old.json'), 'old');
  symlinkSync('old.json', join(folder, 'link.json'));
  await writeWhole('--json', join(folder, 'link.json'), 'new');
  expect(readFileSync(join(folder, 'old.json'), 'utf8')).toBe('new');
  expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'old.json']);
});

test('a device is written to and not replaced', async () => {
  await checkWritable('--json', '/dev/null');
  await writeWhole('--json', '/dev/null', 'gone');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('what cannot be written is said with option and file, and an old file stays', async () => {
  await expect(checkWritable('--json', join(folder, 'no', 'x.json'))).rejects.toThrow(
    /--json: cannot write .*x\.json/,
  );
  await expect(writeWhole('--json', folder, 'x')).rejects.toThrow(/it is a directory/);
});

test('a full disk leaves nothing half written', async () => {
  await expect(writeWhole('--json', '/dev/full', 'x'.repeat(10))).rejects.toThrow(
    /--json: cannot write \/dev\/full/,
  );
});
