import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { report } from '../../cli/final-report.ts';
import { table } from '../../cli/table.ts';
import type { Rehearsal } from '../../rehearsal/index.ts';
import type { PartitionResult } from '../../rehearsal/tally.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { broken, harmless, holding, voided } from '../rehearsal/rehearsals.ts';
import { looks, partedUnit, plain, widest } from './looks.ts';

describe('the table', () => {
  test('shows the difference at a glance, in the time of the story', () => {
    expect(table(holding, plain)).toBe(
      [
        '                 in time    offered  refused  timed out  failed     p50     p99',
        'shared: one pool for everybody           the server counted 20 of 20 connections',
        '  order   █░░░░░   6.5 %    65/1000        0         80       0  40.5 s  60.1 s',
        '  search  █░░░░░   6.5 %    65/1000        0         80       0  40.5 s  60.1 s',
        '  batch                -    120/120        0          0       0   5.0 s   5.0 s',
        'baseline: partitions, no reports         the server counted 20 of 20 connections',
        '  order   ██████   100 %  1000/1000        0          0       0  160 ms  180 ms',
        '  search  ██████   100 %  1000/1000        0          0       0  160 ms  180 ms',
        'partitioned: partitions and reports      the server counted 20 of 20 connections',
        '  order   ██████   100 %  1000/1000        0          0       0  160 ms  180 ms',
        '  search  ██████   100 %  1000/1000        0          0       0  160 ms  180 ms',
        '  batch                -     96/120       24          0       0   5.0 s   5.0 s',
      ].join('\n'),
    );
  });

  test('gives up the least important columns first on a narrow terminal', () => {
    const titles = (columns: number): string[] =>
      (table(holding, { colour: false, columns }).split('\n')[0] ?? '').trim().split(/ {2,}/);
    expect(titles(72)).toEqual(titles(80));
    expect(titles(60)).toEqual(['in time', 'refused', 'timed out', 'failed', 'p99']);
    expect(titles(40)).toEqual(['in time', 'timed out', 'p99']);
  });

  test('cuts names that are too long, and no figure', () => {
    const long = 'a-partition-with-a-very-long-name-indeed';
    const runs = holding.runs.map((run) => ({
      ...run,
      partitions: { [long]: run.partitions['order'] as PartitionResult },
    }));
    const text = table({ ...holding, runs }, { colour: false, columns: 40 });
    expect(text).toContain('  a-partitio…   6.5 %         80  60.1 s');
  });

  test('has colour only where it is wanted', () => {
    expect(table(holding, plain)).not.toContain('\u001B');
    const coloured = table(holding, { colour: true, columns: 80 });
    expect(coloured).toContain('\u001B[31m');
    expect(coloured).toContain('\u001B[32m');
  });
});

describe('the report', () => {
  const reported = (rehearsal: Rehearsal, look = plain): string =>
    report({ rehearsal, scenario: monthEnd }, look);

  test('is never wider than the terminal', () => {
    const tooWide = looks.filter((look) =>
      [holding, broken].some((rehearsal) => widest(reported(rehearsal, look)) > look.columns),
    );
    expect(tooWide).toEqual([]);
  });

  test('parts no figure from its unit, at any width', () => {
    const parted = looks.filter((look) =>
      [holding, broken].some((each) =>
        partedUnit.test(stripVTControlCharacters(reported(each, look))),
      ),
    );
    expect(parted).toEqual([]);
  });

  test('has the course of the runs between the table and the objectives', () => {
    const places = ['timed out', 'Over time', '✓ shared'].map((part) =>
      reported(holding).indexOf(part),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('tells the seed with which the same arrivals come again, when some were random', () => {
    expect(reported({ ...holding, seed: 7 })).toContain('The same arrivals again: --seed 7.');
    expect(reported(holding)).not.toContain('seed');
  });

  test('names what the scenario says goes wrong', () => {
    const text = reported({ ...holding, disturbance: 'retries' }).replaceAll('\n', ' ');
    expect(text).toContain('baseline: partitions, no retries');
    expect(text).toContain('partitioned: partitions and retries');
    expect(text).toContain('the retries could not take the connections');
    expect(text).not.toContain('the reports could not');
  });

  test('explains what walls are, where it speaks of them', () => {
    const explained = 'Walls are what divides one pool of connections into partitions';
    for (const rehearsal of [holding, broken, voided(holding)])
      expect(reported(rehearsal)).toContain(explained);
    expect(reported(harmless)).not.toContain(explained);
  });

  test('says when the machine was too busy for reliable figures', () => {
    expect(reported(holding)).not.toContain('with care');
    const runs = holding.runs.map((each) => ({ ...each, keptSchedule: false }));
    expect(reported({ ...holding, runs })).toContain(
      'Take these figures with care: the machine was busy',
    );
  });
});
