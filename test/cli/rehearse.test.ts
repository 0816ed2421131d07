import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rehearsal, RunResult } from '../../rehearsal/index.ts';
import { Sandbox } from './cli.ts';
import { writeMonthEnd } from './short-scenario.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.clear());

const share = ({ partitions }: RunResult, name: string): number => {
  const { servedInTime = 0, offered = 1 } = partitions[name] ?? {};
  return servedInTime / offered;
};

const sum = (values: readonly number[] = []): number => values.reduce((all, each) => all + each, 0);

/** Every request ended in exactly one place, and the server never counted too many connections. */
function expectConsistent({ runs, max }: Rehearsal): void {
  expect(runs.map(({ name }) => name)).toEqual(['shared', 'baseline', 'partitioned']);
  for (const { name, partitions, serverPeak, arrivalLagMillis, timeline } of runs) {
    expect(serverPeak).toBeGreaterThan(0);
    expect(serverPeak).toBeLessThanOrEqual(max);
    expect(arrivalLagMillis.p99).toBeGreaterThan(0);
    expect(Object.keys(partitions)).toEqual(
      name === 'baseline' ? ['order', 'search'] : ['order', 'search', 'batch'],
    );
    expect(Math.max(...timeline.connections)).toBeLessThanOrEqual(serverPeak);
    for (const [partition, result] of Object.entries(partitions)) {
      const { offered, served, servedInTime, refused, timedOut, failed } = result;
      expect(served + refused + timedOut + failed).toBe(offered);
      expect(servedInTime).toBeLessThanOrEqual(served);
      const course = timeline.partitions[partition];
      expect(sum(course?.servedInTime)).toBe(servedInTime);
      expect(sum(course?.late)).toBe(served - servedInTime);
      expect(sum(course?.refused)).toBe(refused);
      expect(sum(course?.timedOut)).toBe(timedOut);
    }
  }
}

function expectWalls({ runs, objectives }: Rehearsal): void {
  const [shared, , partitioned] = runs as [RunResult, RunResult, RunResult];
  expect(shared.partitions['order']).toMatchObject({ offered: 6_400, refused: 0, failed: 0 });
  expect(shared.partitions['order']?.timedOut).toBeGreaterThan(0);
  expect(share(shared, 'order')).toBeLessThan(0.2);
  expect(share(partitioned, 'order')).toBeGreaterThanOrEqual(0.999);
  expect(partitioned.partitions['batch']?.refused).toBeGreaterThan(0);
  // Latencies of a machine that was busy with something else, three times, are not the pool's.
  const quiet = runs.every(({ keptSchedule }) => keptSchedule);
  const missed = objectives.filter(({ met }) => !met);
  expect(missed.filter(({ unit }) => quiet || unit !== 'ratio')).toEqual([]);
}

/** The exit code, and what people are told: a machine that was too busy is no fault of the walls. */
function outcomeOf(result: Rehearsal): readonly [code: number, words: string] {
  if (result.void) return [4, 'Void: '];
  return result.objectives.every(({ met }) => met) ? [0, 'The walls hold'] : [1, 'with care'];
}

test('the shared pool collapses, the partitions meet every objective', async () => {
  const file = join(sandbox.folder, 'result.json');
  const page = join(sandbox.folder, 'result.html');
  const { code, stdout, stderr } = await sandbox.run('rehearse', '--json', file, '--html', page);
  const result = JSON.parse(readFileSync(file, 'utf8')) as Rehearsal;
  expect(result).toMatchObject({
    scenario: 'month-end',
    driver: 'pg',
    server: expect.stringMatching(/^PostgreSQL \d+/),
    timeScale: 0.1,
    max: 20,
  });
  expectConsistent(result);
  if (!result.void) expectWalls(result);
  const [wantedCode, words] = outcomeOf(result);
  expect([code, result.met]).toEqual([wantedCode, wantedCode === 0]);
  expect(stdout).toContain(words);
  expect(stderr).toContain('3/3 partitioned');
  const report = readFileSync(page, 'utf8');
  expect(report).toContain(words);
  // The reports come at 0:10; how soon fewer than half are answered in time is for the pool to say.
  expect(report).toMatch(/From 0:1\d on, fewer than half of the order and search requests are/);
  expect(await sandbox.leftovers()).toEqual(['result.html', 'result.json']);
}, 300_000);

test('without walls the same rehearsal fails, and stdout can be the document alone', async () => {
  const junit = join(sandbox.folder, 'result.xml');
  const scenario = writeMonthEnd(sandbox.folder, [5, 30, 10]);
  const args = ['--without-walls', '--time-scale', '0.05', '--json', '-', '--junit', junit];
  const { code, stdout, stderr } = await sandbox.run('rehearse', scenario, ...args);
  const result = JSON.parse(stdout) as Rehearsal;
  expectConsistent(result);
  expect([code, result.met]).toEqual([result.void ? 4 : 1, false]);
  const missed = result.objectives.filter(({ met }) => !met).map(({ name }) => name);
  expect(missed).toContain('order answered in time');
  expect(missed).toContain('search answered in time');
  const [words, figures] = result.void
    ? ['Void: nothing is proven', `failures="0" errors="${result.objectives.length}"`]
    : ['The walls do not hold: order answered in time', `failures="${missed.length}" errors="0"`];
  expect(stderr).toContain(words);
  expect(readFileSync(junit, 'utf8')).toContain(figures);
}, 180_000);
