import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { foundUrl } from '../servers/urls.ts';
import { drivers, rowsOf } from './catalog.ts';
import { updated } from './page.ts';
import { playRow } from './play-row.ts';

const page = join(__dirname, '../../docs/compatibility.md');
const words = (process.env['COMPAT_ROWS'] ?? '').split(' ').filter(Boolean);
/** Rows of mongoose bring a server of their own. */
const databases = { pg: 'postgres', mysql2: 'mysql', mongoose: undefined } as const;

const isChosen = (name: string): boolean =>
  words.length === 0 || words.some((word) => name.includes(word));

const major = Number.parseInt(process.versions.node, 10);

const results = new Map<string, readonly string[]>();

describe.each(drivers)('%s', (driver) => {
  const database = databases[driver];
  const noServer = database !== undefined && foundUrl(database) === undefined;
  for (const { name, node = 0 } of rowsOf(driver).filter((row) => isChosen(row.name))) {
    const play = noServer || node > major ? test.skip : test;
    play(
      name,
      async () => {
        const { output, passed, failed } = await playRow(name);
        if (failed.length > 0) throw new Error(`${failed.join(', ')}\n\n${output}`);
        expect(passed).toContain('nothing in use afterwards');
        results.set(name, passed);
      },
      180_000,
    );
  }
});

test('docs/compatibility.md says what was played', () => {
  const all = drivers.flatMap(rowsOf).every(({ name }) => results.has(name));
  if (!all) return console.warn('docs/compatibility.md is not compared: not all rows were played');
  const text = readFileSync(page, 'utf8');
  const wanted = formatted(updated(text, results));
  if (process.env['COMPAT_WRITE']) writeFileSync(page, wanted);
  else expect(text).toBe(wanted);
});

const formatted = (markdown: string): string =>
  execFileSync(
    process.execPath,
    [require.resolve('prettier/bin/prettier.cjs'), '--stdin-filepath', page],
    { input: markdown, encoding: 'utf8' },
  );
