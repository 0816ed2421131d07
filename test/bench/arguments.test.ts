import { execFile } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { readArguments, UsageError } from '../../bench/arguments.ts';

const messageOf = (...argv: string[]): string => {
  try {
    readArguments(argv);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return 'accepted';
};

describe('the arguments of the bench', () => {
  test('name parts, in any order; none means all', () => {
    expect(readArguments([]).parts).toEqual(['overhead', 'contention', 'memory', 'incident']);
    expect(readArguments(['memory', 'overhead']).parts).toEqual(['overhead', 'memory']);
  });

  test('name files and subjects', () => {
    expect(
      readArguments(['contention', '--quick', '--json', 'a.json', '--only', 'tarn,pg-pool']),
    ).toMatchObject({ quick: true, json: 'a.json', only: ['tarn', 'pg-pool'] });
  });

  test.each([
    [['speed'], "unknown part 'speed'; there are overhead, contention, memory, incident"],
    [['--fast'], "Unknown option '--fast'"],
    [['--json'], "Option '--json <value>' argument missing"],
    [['--json='], '--json needs a value'],
    [['--only', 'knex'], "unknown subject 'knex'"],
    [['contention', '--task', 'swim'], "no task begins with 'swim'"],
  ])('%j are refused in one line', (argv, message) => {
    const got = messageOf(...argv);
    expect(got).toContain(message);
    expect(got).not.toContain('\n');
  });
});

test('wrong usage ends with 2 and one line', async () => {
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, ['bench/start.mjs', 'main', 'speed'], (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  expect(ended.code).toBe(2);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});
