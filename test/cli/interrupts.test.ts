import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Sandbox } from './cli.ts';

let sandbox: Sandbox;
let files: readonly string[];
let command: readonly string[];
beforeEach(() => {
  sandbox = new Sandbox();
  files = ['r.html', 'r.json', 'r.xml'];
  const [html = '', json = '', xml = ''] = files.map((file) => join(sandbox.folder, file));
  for (const file of [html, json, xml]) writeFileSync(file, 'earlier');
  const outputs = ['--html', html, '--json', json, '--junit', xml];
  command = ['rehearse', '--time-scale', '0.05', ...outputs];
});
afterEach(() => sandbox.clear());

async function expectOnlyEarlierReports(): Promise<void> {
  expect(await sandbox.leftovers()).toEqual(files);
  for (const file of files) {
    expect(readFileSync(join(sandbox.folder, file), 'utf8')).toBe('earlier');
  }
}

const pause = (millis: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis));

describe('an interrupted rehearsal leaves nothing behind', () => {
  test.each<['SIGINT' | 'SIGTERM' | 'SIGHUP', string, number]>([
    ['SIGINT', 'starting an embedded', 130],
    ['SIGINT', 'calm', 130],
    ['SIGINT', 'month end', 130],
    ['SIGTERM', 'starting an embedded', 143],
    ['SIGTERM', 'month end', 143],
    ['SIGHUP', 'calm', 129],
  ])('after %s at "%s"', async (signal, words, code) => {
    const { child, ended, says } = sandbox.start(...command);
    await says(words);
    await pause(200);
    child.kill(signal);
    const result = await ended;
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(new RegExp(`${signal}: cleaning up.*\\n$`));
    await expectOnlyEarlierReports();
  });

  test('after Ctrl-C twice', async () => {
    const { child, ended, says } = sandbox.start(...command);
    await says('month end');
    child.kill('SIGINT');
    child.kill('SIGINT');
    await says('cleaning up');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    await expectOnlyEarlierReports();
  });

  test('after it was killed outright: the guard clears up', async () => {
    const { child, ended, says } = sandbox.start(...command);
    await says('calm');
    child.kill('SIGKILL');
    await ended;
    for (let i = 0; i < 100 && (await sandbox.leftovers()).length > 3; i++) await pause(50);
    await expectOnlyEarlierReports();
  });

  // `script` of util-linux, which others have with other options.
  const onLinux = process.platform === 'linux' ? test : test.skip;

  onLinux.each([1, 2])(
    'after Ctrl-C %d times in a terminal, whose cursor is back',
    async (times) => {
      const { child, ended, says } = sandbox.startOnTerminal(...command);
      await says('waiting');
      for (let i = 0; i < times; i++) {
        child.stdin?.write(ctrlC);
        await says('cleaning up');
      }
      const { code, stdout } = await ended;
      expect(code).toBe(130);
      expect(stdout).toContain(hideCursor);
      expect(stdout.lastIndexOf(showCursor)).toBeGreaterThan(stdout.lastIndexOf(hideCursor));
      expect(stdout).not.toContain('The walls');
      await expectOnlyEarlierReports();
    },
  );
});

const ctrlC = '\u0003';
const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
