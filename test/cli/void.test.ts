import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report } from '../../cli/final-report.ts';
import type { Rehearsal, Scenario } from '../../rehearsal/index.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { broken, holding, voided } from '../rehearsal/rehearsals.ts';
import { url } from '../support/pg.ts';
import { Sandbox } from './cli.ts';

const plain = { colour: false, columns: 80 };
const tell = (rehearsal: Rehearsal): { rehearsal: Rehearsal; scenario: Scenario } => ({
  rehearsal,
  scenario: monthEnd,
});
const oneLine = (text: string): string => text.replaceAll('\n', ' ');

describe('the final report', () => {
  test('says of each run how late requests were sent, and of connections that they were open', () => {
    const text = report(tell(holding), plain);
    expect(oneLine(text)).toContain(
      'Every run opened all its connections before the first request. ' +
        'Requests were sent late at p99: shared 1.7 ms (wanted at most 10 ms, void above 15 ms), ' +
        'baseline 1.7 ms (wanted at most 2.5 ms, void above 15 ms), ' +
        'partitioned 1.7 ms (wanted at most 2.5 ms, void above 15 ms).',
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test.each([holding, broken])('of a void rehearsal has no verdict but that', (rehearsal) => {
    const text = report(tell(voided(rehearsal)), plain);
    expect(oneLine(text)).toMatch(/ Void: nothing is proven, .* with a larger time scale\. $/);
    expect(text).not.toMatch(/✓|✗|The walls|with care/);
    expect(text.match(/^ {2}\? /gm)).toHaveLength(rehearsal.objectives.length);
    const coloured = report(tell(voided(rehearsal)), { ...plain, colour: true });
    expect(coloured).toContain('\u001B[33mVoid: ');
  });
});

describe('on a machine that stands still again and again', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = new Sandbox();
  });
  afterAll(() => sandbox.clear());

  test('a rehearsal exits with 4, and every file says that nothing is proven', async () => {
    const path = (name: string): string => join(sandbox.folder, name);
    const phases = [
      { name: 'busy', durationMillis: 3_000, partitions: ['order', 'search', 'batch'] },
    ];
    writeFileSync(path('short.json'), JSON.stringify({ ...monthEnd, phases }));
    const { child, ended, says } = sandbox.start(
      ...['rehearse', path('short.json'), '--url', url()],
      ...['--json', path('r.json'), '--junit', path('r.xml'), '--html', path('r.html')],
    );
    await says('1/3');
    let stands = false;
    const standing = setInterval(() => {
      stands = !stands;
      child.kill(stands ? 'SIGSTOP' : 'SIGCONT');
    }, 50);
    const { code, stdout } = await ended;
    clearInterval(standing);
    expect(code).toBe(4);
    expect(stdout).toContain('Void: nothing is proven');
    const result = JSON.parse(readFileSync(path('r.json'), 'utf8')) as Rehearsal;
    expect(result).toMatchObject({ void: true, met: false });
    expect(readFileSync(path('r.xml'), 'utf8')).toMatch(/failures="0" errors="12"/);
    expect(readFileSync(path('r.html'), 'utf8')).toContain('void, nothing is proven');
  });
});
