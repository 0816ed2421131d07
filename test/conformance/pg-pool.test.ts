import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openProxy, through } from '../support/proxy.ts';

const suite = dirname(require.resolve('pg-pool-suite/package.json'));
const mocha = require.resolve('mocha/bin/mocha.js');

interface Outcome {
  readonly passed: number;
  readonly failed: string[];
}

/**
 * It counts connections from inside a `remove` event and is told "1" as often as "0", also by the
 * stock pool: two idle timers of the same length race there.
 */
const racy = 'idle timeout times out and removes clients when others are also removed';

async function runSuite(subject: string): Promise<Outcome> {
  const proxy = await openProxy();
  const { username, password, pathname } = new URL(through(proxy).connectionString);
  const env = {
    ...process.env,
    ...{ PGHOST: '127.0.0.1', PGPORT: String(proxy.port), PGUSER: username },
    ...{ PGPASSWORD: password || 'x', PGDATABASE: pathname.slice(1) },
    ...{ NODE_OPTIONS: '--no-deprecation' },
    ...{ CONFORMANCE_SUITE: suite, CONFORMANCE_SUBJECT: subject },
  };
  const preload = join(__dirname, 'preload.cjs');
  const args = [mocha, '--reporter', 'json', '--require', preload, join(suite, 'test', '*.js')];
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (_, out) => resolve(out));
  });
  // Tests of the suite print lines of their own before the report.
  const report = JSON.parse(stdout.slice(stdout.indexOf('{\n  "stats"'))) as {
    stats: { passes: number };
    failures: { fullTitle: string }[];
  };
  return { passed: report.stats.passes, failed: report.failures.map((one) => one.fullTitle) };
}

describe("pg-pool's own suite", () => {
  test.each(['pool', 'partition'])('passes with the %s in its place', async (subject) => {
    const { passed, failed } = await runSuite(subject);
    expect(failed.filter((title) => title !== racy)).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(71);
  });
});
