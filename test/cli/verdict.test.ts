import { describe, expect, test } from '@jest/globals';
import { objectiveLines, verdict } from '../../cli/verdict.ts';
import { broken, harmless, holding, requests } from '../rehearsal/rehearsals.ts';
import { plain, widest } from './looks.ts';

describe('the verdict', () => {
  const oneLine = (text: string): string => text.replaceAll('\n', ' ');

  test('says who was protected, from what, and how many were answered in time with and without', () => {
    expect(oneLine(verdict(holding, plain))).toBe(
      'The walls hold: the reports could not take the connections of order and search, so 100 % of the order ' +
        'and 100 % of the search requests were answered in time, up from 6.5 % and 6.5 % when all shared the ' +
        'same 20 connections.',
    );
  });

  test('names every objective that was missed, got and wanted, and who is not protected', () => {
    expect(oneLine(verdict(broken, plain))).toBe(
      'The walls do not hold: order answered in time 26.4 %, wanted at least 99.9 %; ' +
        'order refused, timed out or failed 200, wanted at most 0; ' +
        'order p99 against baseline 6.67x, wanted at most 1.20x; ' +
        'order is not protected from the reports.',
    );
  });

  test('says that nothing was proved when the shared pool got through', () => {
    expect(oneLine(verdict(harmless, plain))).toMatch(
      /^This rehearsal proved nothing: the shared pool did not starve .*100 %, wanted below 50 %/,
    );
  });

  test('tells a partition that is too small from a wall that is missing', () => {
    const order = requests(50, 400, 120);
    const runs = broken.runs.map((each) =>
      each.name === 'baseline' ? { ...each, partitions: { ...each.partitions, order } } : each,
    );
    expect(oneLine(verdict({ ...broken, runs }, plain))).toMatch(
      /; too small for its own load, also without the reports: order\.$/,
    );
  });

  test.each([holding, broken, harmless])('and the objectives fit into 80 columns', (result) => {
    const text = `${objectiveLines(result, plain)}\n${verdict(result, plain)}`;
    expect(widest(text)).toBeLessThanOrEqual(80);
  });

  test('marks each objective', () => {
    const lines = objectiveLines(broken, plain).split('\n');
    expect(lines.filter((line) => line.startsWith('  ✗'))).toHaveLength(3);
    expect(lines[0]).toBe(
      '  ✓ shared: order starved: answered in time             6.5 %  (below 50 %)',
    );
  });

  test('wraps the objectives where the terminal is too narrow for columns', () => {
    expect(objectiveLines(holding, { colour: false, columns: 40 }).split('\n').slice(0, 2)).toEqual(
      ['  ✓ shared: order starved: answered in', '    time 6.5 % (below 50 %)'],
    );
  });
});
