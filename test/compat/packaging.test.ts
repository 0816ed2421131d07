import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { foundUrl } from '../servers/urls.ts';
import { bundlers, runtimes } from './catalog.ts';
import { run } from './run.ts';

const ok = { code: 0, stdout: 'the walls hold\n', stderr: '' };
const binary = (name: string): string => join(__dirname, 'node_modules/.bin', name);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'watertight-bundles-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['pg', 'postgres'],
  ['mysql2', 'mysql'],
] as const)('the program of %s', (driver, database) => {
  const program = join('smoke', `${driver}.mjs`);
  const onServer = foundUrl(database) === undefined ? test.skip : test;

  onServer.each(Object.entries(runtimes))(
    'runs in %s',
    async (runtime, parameters) => {
      expect(await run(binary(runtime), [...parameters, program])).toEqual(ok);
    },
    180_000,
  );

  onServer.each(bundlers)(
    'runs when %s has bundled and minified it',
    async (bundler) => {
      const bundle = join(folder, `${driver}-${bundler.replace('/', '-')}.mjs`);
      const bundling = await run(process.execPath, ['smoke/bundle.mjs', bundler, program, bundle]);
      expect(bundling).toMatchObject({ code: 0 });
      expect(await run(process.execPath, [bundle])).toEqual(ok);
    },
    180_000,
  );
});
