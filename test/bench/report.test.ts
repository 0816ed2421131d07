import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { regressions } from '../../bench/compare/regressions.ts';
import { describe as describeFigures, outcomeOf } from '../../bench/contention/report.ts';
import type { Measured, Series } from '../../bench/contention/rounds.ts';
import { thisMachine } from '../../bench/machine.ts';
import { linesPicture } from '../../bench/pictures/lines.ts';
import { writeReport } from '../../bench/result.ts';
import { figure, size, table } from '../../bench/table.ts';

const seriesOf = (figures: Record<number, (number | undefined)[]>): Series =>
  new Map(Object.entries(figures).map(([n, rounds]) => [Number(n), rounds]));

const measured: Measured = {
  task: {
    name: 'drain',
    needs: undefined,
    hasLine: true,
    prepare: () => Promise.reject(new Error('not measured')),
  },
  series: new Map([
    ['minimal', seriesOf({ 10: [100, 110, 100], 1000: [200, 200, 200] })],
    ['watertight', seriesOf({ 10: [120, 132, 120], 1000: [300, 310, 320] })],
    ['tarn', seriesOf({ 10: [900, 990], 1000: [] })],
  ]),
};

test('one entry per subject and size; who did not finish is listed apart', () => {
  const { results, unfinished } = outcomeOf(measured);
  expect(results).toEqual([
    {
      name: 'drain',
      n: 10,
      subject: 'watertight',
      against: 'minimal',
      ratio: 1.2,
      spread: [1.2, 1.2],
    },
    {
      name: 'drain',
      n: 1000,
      subject: 'watertight',
      against: 'minimal',
      ratio: 1.55,
      spread: [1.525, 1.575],
    },
    { name: 'drain', n: 10, subject: 'tarn', against: 'minimal', ratio: 9, spread: [9, 9] },
  ]);
  expect(unfinished).toEqual([{ name: 'drain', n: 1000, subject: 'tarn', against: 'minimal' }]);
});

test('the report is one JSON document with results', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wt-bench-'));
  try {
    const file = join(folder, 'bench.json');
    writeReport(file, { ...outcomeOf(measured), machine: thisMachine() });
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as { results: object[] };
    const keys = ['name', 'n', 'subject', 'against', 'ratio', 'spread'];
    for (const result of results) expect(Object.keys(result)).toEqual(keys);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the table shows who did not finish and where the goal was missed', () => {
  const text = describeFigures(measured);
  expect(text).toMatch(/tarn +900|tarn +945/);
  expect(text).toContain('did not finish');
  expect(text).toContain('watertight / minimal at 10: 1.20 (1.20–1.20), goal 1.3: met');
  expect(text).toContain('watertight / minimal at 10³: 1.55 (1.52–1.58), goal 1.3: missed');
});

test('only what is slower by more than 15 %, with its whole spread, is a regression', () => {
  const row = (ratio: number, low: number) => ({
    task: 'drain',
    n: 10,
    measured: { ratio, spread: [low, ratio + 0.1] as const, rounds: 7 },
  });
  expect(regressions([row(1.1, 1.05), row(1.3, 1.1), row(1.3, 1.2)])).toEqual([row(1.3, 1.2)]);
});

test('figures have three digits, sizes are powers of ten, columns line up', () => {
  expect([1.234, 15.26, 374.4, 15_310, 2_500_000].map(figure)).toEqual([
    ...['1.23', '15.3', '374', '15.3 k', '2.50 M'],
  ]);
  expect([1, 10, 1000, 1_000_000, 30_000].map(size)).toEqual(['1', '10', '10³', '10⁶', '30000']);
  expect(table(['a', 'bb'], [['ccc', '1']])).toBe('a    bb\n---  --\nccc   1');
});

test('a picture has a line and a label for each subject', () => {
  const lines = [
    {
      name: 'watertight',
      points: [
        [10, 100],
        [1000, 120],
      ] as const,
      finished: true,
    },
    { name: 'tarn', points: [[10, 900]] as const, finished: false },
  ];
  const svg = linesPicture({ title: 'drain', subtitle: '', lines });
  expect(svg.match(/<path /g)).toHaveLength(2);
  expect(svg).toContain('>watertight</text>');
  expect(svg).toContain('>tarn ✕</text>');
});
