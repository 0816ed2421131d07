import { describe, expect, test } from '@jest/globals';
import { objectiveLines, verdict } from '../../cli/verdict.ts';
import { broken, harmless, holding, requests } from '../rehearsal/rehearsals.ts';
import { plain, widest } from './looks.ts';

describe('the verdict', () => {
  const oneLine = (text: string): string => text.replaceAll('\n', ' ');

  test('says that the walls hold, and against what', () => {
    expect(oneLine(verdict(holding, plain))).toBe(
      'The walls hold: with partitions order 100 %, search 100 % answered in time while the reports ' +
        'ran, from one shared pool of the same 20 connections order 6.5 %, search 6.5 %.',
    );
  });

  test('names every objective that was missed, got and wanted', () => {
    expect(oneLine(verdict(broken, plain))).toBe(
      'The walls do not hold: order answered in time 26.4 %, wanted at least 99.9 %; ' +
        'order refused, timed out or failed 200, wanted at most 0; ' +
        'order p99 against baseline 6.67x, wanted at most 1.20x.',
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
      /Too small for its own load, also without the reports: order\.$/,
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
