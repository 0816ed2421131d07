import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { explained } from '../../cli/scenarios-command.ts';
import { scenarios } from '../../scenarios/index.ts';
import { leakyClient } from '../../scenarios/leaky-client.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { slowSearch } from '../../scenarios/slow-search.ts';
import { thunderingRetry } from '../../scenarios/thundering-retry.ts';
import { readSettings } from '../../cli/settings.ts';
import { parseArguments } from '../../cli/options.ts';
import { Complaints } from '../../cli/usage-error.ts';
import { folder } from '../config/folder.ts';
import { Sandbox } from './cli.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.clear());

const plain = { colour: false, columns: 80 };

describe('watertight scenarios', () => {
  test('explains a scenario: what it teaches, its length, its pool and its load', () => {
    expect(explained(monthEnd, plain)).toBe(`month-end
  Fifteen reports that hold their connections for minutes leave five of twenty
  for a shop that needs twelve. A partition of four gives the batch its share,
  and no more.
  160 s: calm 10 s, month end 120 s, recovery 30 s
  pool of 20: order 8, search 8, batch 4
  order   40/s of 150 ms, due within 1 s
  search  40/s of 150 ms, due within 1 s
  batch   15 workers, reports of 5 s
`);
    expect(explained(thunderingRetry, plain)).toContain(
      '30/s of 600 ms, at random, due within 2 s, retried at once, 3 times',
    );
    expect(explained(slowSearch, plain)).toContain('30/s of 100 ms, in slow plan of 2 s, due');
    expect(explained(leakyClient, plain)).toContain('reports of 1 s, 1 in 3 never given back');
  });

  test.each([120, 80, 60])('fits into %p columns', (columns) => {
    for (const scenario of scenarios) {
      const lines = explained(scenario, { colour: false, columns }).split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  test('lists all of them', async () => {
    const { code, stdout, stderr } = await sandbox.run('scenarios');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(scenarios.map((scenario) => explained(scenario, plain)).join('\n'));
  });

  test('with a name writes a file that can be rehearsed', async () => {
    const { code, stdout } = await sandbox.run('scenarios', 'leaky-client');
    expect(code).toBe(0);
    using made = folder({ 'mine.json': stdout });
    const complaints = new Complaints();
    const args = parseArguments(['rehearse', `${made.path}/mine.json`]);
    const settings = readSettings(args, complaints);
    expect(complaints.count).toBe(0);
    expect(settings.scenario).toEqual(leakyClient);
  });
});
