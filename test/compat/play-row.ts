import { join } from 'node:path';
import { run } from './run.ts';

export interface Played {
  readonly output: string;
  /** Names of the behaviours that hold. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** Plays one program of `rows`. */
export async function playRow(row: string): Promise<Played> {
  const { code, stdout, stderr } = await run(process.execPath, [
    ...['--import', 'tsx', '--test', '--test-reporter=tap'],
    join('rows', `${row}.ts`),
  ]);
  const failed = namesOf(stdout, /^ *not ok \d+ - (.*)$/gm);
  return {
    output: stdout + stderr,
    passed: namesOf(stdout, /^ +ok \d+ - ([^#\n]*?)$/gm),
    failed: code !== 0 && failed.length === 0 ? [`exit code ${code}`] : failed,
  };
}

const namesOf = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name]) => name!.trim());
