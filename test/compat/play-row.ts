import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { foundUrl } from '../servers/urls.ts';

export interface Played {
  readonly output: string;
  /** Names of the behaviours that hold. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** Runs one program of `rows` in a process of its own, as its users would. */
export function playRow(row: string): Promise<Played> {
  const env = {
    ...process.env,
    COMPAT_PG_URL: foundUrl('postgres'),
    COMPAT_MYSQL_URL: foundUrl('mysql'),
    // The reporter of the tests writes colours otherwise.
    FORCE_COLOR: '0',
    // jest marks its own processes with it, and node:test then reports nothing.
    NODE_TEST_CONTEXT: undefined,
  };
  const parameters = [
    '--import',
    'tsx',
    '--test',
    '--test-reporter=tap',
    join('rows', `${row}.ts`),
  ];
  return new Promise((resolve) => {
    const options = { cwd: __dirname, env, timeout: 120_000 };
    execFile(process.execPath, parameters, options, (error, stdout, stderr) => {
      const failed = namesOf(stdout, /^ *not ok \d+ - (.*)$/gm);
      resolve({
        output: stdout + stderr,
        passed: namesOf(stdout, /^ +ok \d+ - ([^#\n]*?)$/gm),
        failed: error && failed.length === 0 ? [error.message] : failed,
      });
    });
  });
}

const namesOf = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name]) => name!.trim());
