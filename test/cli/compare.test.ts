import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../cli/comparison.ts';
import type { Rehearsal } from '../../rehearsal/index.ts';
import { broken, holding, rehearsalWith, requests, voided } from '../rehearsal/rehearsals.ts';
import { noStack, Sandbox } from './cli.ts';
import { looks, partedUnit } from './looks.ts';

const look = { colour: false, columns: 80, names: ['a.json', 'b.json'] };

describe('two rehearsals', () => {
  test('that differ: settings, figures with direction, objectives newly missed', () => {
    const after: Rehearsal = {
      ...broken,
      server: 'PostgreSQL 17.2',
      max: 24,
      partitions: { ...broken.partitions, batch: { size: 4, max: 20 } },
    };
    expect(compare(holding, after, look)).toEqual({
      void: false,
      worse: true,
      text: `a.json → b.json

settings
  server      PostgreSQL 18.4 → PostgreSQL 17.2
  max         20 → 24
  partitions  order=8,search=8,batch=4 → order=8,search=8,batch=4..20

shared
  order   no change
  search  no change
  batch   no change

baseline
  order   no change
  search  no change

partitioned
  order   in time     100 % → 26.4 %  ▼ 73.6 points
          p99        180 ms → 1.2 s   ▲ 567 %
          timed out       0 → 200     ▲ 200
  search  no change
  batch   no change

objectives
  ✗ newly missed: order answered in time 26.4 %, wanted at least 99.9 % (it
    was 100 %)
  ✗ newly missed: order refused, timed out or failed 200, wanted at most 0 (it
    was 0)
  ✗ newly missed: order p99 against baseline 6.67x, wanted at most 1.20x (it
    was 1.00x)

Worse: 3 objectives are newly missed.
`,
    });
  });

  test('of which the second is better', () => {
    const { worse, text } = compare(broken, holding, look);
    expect(worse).toBe(false);
    expect(text).toContain(
      '✓ met now: order answered in time 100 %, wanted at least 99.9 % (it was',
    );
    expect(text).toMatch(/in time {4}26.4 % → 100 % {3}▲ 73.6 points/);
    expect(text).toMatch(/No objective is newly missed\.\n$/);
  });

  test('of which one was played on a busy machine are to be taken with care', () => {
    const runs = broken.runs.map((run) => ({ ...run, keptSchedule: false }));
    const { text } = compare(holding, { ...broken, runs }, look);
    expect(text).toMatch(/^b\.json: Take these figures with care: the machine was busy/m);
    expect(text).not.toContain('a.json: Take');
  });

  test('of which one is void are not compared', () => {
    expect(compare(holding, { ...voided(broken), server: 'PostgreSQL 17.2' }, look)).toEqual({
      void: true,
      worse: false,
      text: `a.json → b.json

settings
  server  PostgreSQL 18.4 → PostgreSQL 17.2

Void: nothing can be compared with b.json (baseline at best 31.24 ms late at
p99, void above 15 ms).
`,
    });
    const both = compare(voided(broken), voided(holding), look);
    expect(both).toMatchObject({ void: true, worse: false });
    expect(both.text.match(/^Void: /gm)).toHaveLength(2);
  });

  test('that differ by a little never differ by nothing', () => {
    const slower = rehearsalWith(requests(1_000, 0, 18.06));
    expect(compare(holding, slower, look).text).toContain('180 ms → 181 ms  ▲ 1 %');
  });

  test('that miss the same are not worse', () => {
    expect(compare(broken, broken, look).worse).toBe(false);
  });

  test('are worse by an objective that is new and missed, not by one that is met', () => {
    const fewer = { ...holding, objectives: holding.objectives.slice(0, 2) };
    expect(compare(fewer, broken, look).worse).toBe(true);
    expect(compare(fewer, holding, look).worse).toBe(false);
  });

  test('in different time scales are compared in the time of the story', () => {
    const slow = (result: Rehearsal): Rehearsal =>
      JSON.parse(JSON.stringify({ ...result, timeScale: 0.2 }), (key, value: unknown) =>
        /^(p50|p95|p99|max)$/.test(key) && value !== 20 ? Number(value) * 2 : value,
      ) as Rehearsal;
    const { text } = compare(holding, slow(holding), look);
    expect(text).toContain('time scale  0.1 → 0.2');
    expect(text).not.toMatch(/▲|▼/);
  });

  test.each([80, 60, 40])('are shown within %p columns', (columns) => {
    const { text } = compare(holding, broken, { ...look, columns });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  test('part no figure from its unit, at any width', () => {
    const parted = looks.filter(({ columns }) =>
      [
        compare(holding, broken, { ...look, columns }),
        compare(broken, holding, { ...look, columns }),
      ].some(({ text }) => partedUnit.test(text)),
    );
    expect(parted).toEqual([]);
  });

  test('have colour where it is wanted: red for worse, none for noise or for the shared pool', () => {
    const red = '\u001B[31m';
    const coloured = { ...look, colour: true };
    expect(compare(holding, broken, look).text).not.toContain('\u001B');
    expect(compare(holding, broken, coloured).text).toContain(`${red}  order   in time`);
    const slower = rehearsalWith(requests(1_000, 0, 20));
    expect(compare(holding, slower, coloured).text).toMatch(/^ {2}order {3}p99 .*▲ 11 %$/m);
  });
});

describe('watertight compare', () => {
  let sandbox: Sandbox;
  const file = (name: string, content: unknown): string => {
    const path = join(sandbox.folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.clear());

  test('exits with 1 when an objective is newly missed, else with 0', async () => {
    const [good, bad] = [file('good.json', holding), file('bad.json', broken)];
    expect(await sandbox.run('compare', good, bad)).toMatchObject({ code: 1, stderr: '' });
    expect(await sandbox.run('compare', bad, good)).toMatchObject({ code: 0, stderr: '' });
  });

  test('exits with 4 when one of them is void, whatever came out', async () => {
    const good = file('good.json', holding);
    for (const [index, other] of [voided(holding), voided(broken)].entries()) {
      const path = file(`void-${index}.json`, other);
      expect(await sandbox.run('compare', good, path)).toMatchObject({ code: 4, stderr: '' });
      expect(await sandbox.run('compare', path, good)).toMatchObject({ code: 4, stderr: '' });
    }
  });

  test('reads results that were written before there were void ones', async () => {
    const known = new Set(['void', 'lagBoundMillis', 'voidBoundMillis', 'tookMillis']);
    const older = (rehearsal: Rehearsal): unknown =>
      JSON.parse(
        JSON.stringify(rehearsal, (key, value: unknown) => (known.has(key) ? undefined : value)),
      );
    const [good, bad] = [file('good.json', older(holding)), file('bad.json', older(broken))];
    expect(await sandbox.run('compare', good, bad)).toMatchObject({ code: 1, stderr: '' });
    expect(await sandbox.run('compare', bad, good)).toMatchObject({ code: 0, stderr: '' });
  });

  test('does not take a void run without its bound', async () => {
    const runs = voided(holding).runs.map((run) => ({ ...run, voidBoundMillis: undefined }));
    const path = file('a.json', { ...voided(holding), runs });
    const { code, stderr } = await sandbox.run('compare', path, path);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('runs[1].voidBoundMillis: expected a number'),
    ]);
  });

  test('exits with 2 and names each file that is no result, and what is wrong with it', async () => {
    const cut = { ...holding, runs: [{ name: 'shared', partitions: { order: { offered: '9' } } }] };
    const [a, b] = [file('a.json', cut), file('b.json', '{ "scenario": ')];
    const { code, stdout, stderr } = await sandbox.run('compare', a, b);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      'a.json: this is not what rehearse --json writes: runs[0].partitions.order.offered: expected a number\n',
    );
    expect(stderr).toMatch(/b\.json:1: this is not JSON: /);
    expect(stderr).not.toMatch(noStack);
  });

  test.each([
    ['[]', 'all of it: expected an object'],
    ['{ "scenario": "x", "driver": "pg", "server": "s" }', 'timeScale: expected a number'],
  ])('does not take %s for a result', async (content, fault) => {
    const path = file('x.json', content);
    const { code, stderr } = await sandbox.run('compare', path, path);
    expect([code, stderr]).toEqual([2, expect.stringContaining(fault)]);
  });

  test('exits with 2 for a file that is not there', async () => {
    const { code, stderr } = await sandbox.run('compare', file('a.json', holding), 'no.json');
    expect([code, stderr]).toEqual([2, 'watertight: no.json: there is no such file\n']);
  });
});
