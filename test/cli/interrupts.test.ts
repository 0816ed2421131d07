import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { Sandbox } from './cli.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.clear());

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
    const files = [
      '--junit',
      join(sandbox.folder, 'r.xml'),
      '--json',
      join(sandbox.folder, 'r.json'),
    ];
    const { child, ended, says } = sandbox.start('rehearse', '--time-scale', '0.05', ...files);
    await says(words);
    await pause(200);
    child.kill(signal);
    const result = await ended;
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(new RegExp(`${signal}: cleaning up.*\\n$`));
    expect(await sandbox.leftovers()).toEqual([]);
  });

  test('after Ctrl-C twice', async () => {
    const { child, ended, says } = sandbox.start('rehearse', '--time-scale', '0.05');
    await says('month end');
    child.kill('SIGINT');
    child.kill('SIGINT');
    await says('cleaning up');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await sandbox.leftovers()).toEqual([]);
  });

  test('after it was killed outright: the guard clears up', async () => {
    const { child, ended, says } = sandbox.start('rehearse', '--time-scale', '0.05');
    await says('calm');
    child.kill('SIGKILL');
    await ended;
    for (let i = 0; i < 100 && (await sandbox.leftovers()).length > 0; i++) await pause(50);
    expect(await sandbox.leftovers()).toEqual([]);
  });
});
