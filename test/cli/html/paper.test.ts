import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { colliding, overflowing, show, useBrowser } from './shown.ts';

useBrowser();

const pixelsPerMillimetre = 96 / 25.4;
const pointsPerPixel = 72 / 96;
const margin = 12 * pixelsPerMillimetre;
const headingAndTwoLines = 50;

/** Inches, as the names of the formats mean them. */
const formats = [
  { format: 'A4', inches: [8.27, 11.69] },
  { format: 'Letter', inches: [8.5, 11] },
] as const;

describe.each(formats)('on $format paper', ({ format, inches: [wide, high] }) => {
  const printable = { width: Math.floor(wide * 96 - 2 * margin), height: high * 96 - 2 * margin };
  const print = (partitions: 3 | 9): Promise<Page> =>
    show({ width: printable.width, colorScheme: 'dark', media: 'print', partitions });

  test.each([3, 9] as const)('all of %i partitions fits beside each other', async (partitions) => {
    const page = await print(partitions);
    expect(await page.evaluate(overflowing('svg'))).toEqual([]);
    expect(await page.evaluate(colliding)).toEqual([]);
  });

  test.each([3, 9] as const)('no table and no row of %i partitions is cut', async (partitions) => {
    const page = await print(partitions);
    const heights = await page.evaluate<number[]>(
      boxes('table, tr', 'getComputedStyle(each).breakInside === "avoid" ? height : Infinity'),
    );
    expect(heights.length).toBeGreaterThan(25);
    expect(Math.max(...heights)).toBeLessThan(printable.height);
  });

  test.each([3, 9] as const)(
    'wherever a page ends, no heading of %i partitions stands alone above it, and no run is cut by it',
    async (partitions) => {
      const page = await print(partitions);
      const runHeights = await page.evaluate<number[]>(boxes('.runs article', 'height'));
      expect(runHeights).toHaveLength(3);
      for (const pushed of [0, 200, 400, 600, 800]) {
        await page.evaluate(`document.querySelector('main').style.marginTop = '${pushed}px'`);
        const pdf = await page.pdf({ format, outline: true, tagged: true });
        const headings = headingsOf(pdf.toString('latin1'));
        expect(headings.size).toBe(9);
        const first = headings.get('One shared pool');
        expect(headings.get('The three runs')?.page).toBe(first?.page);
        const runs = [
          'One shared pool',
          'Partitions, without the reports',
          'Partitions, with the reports',
        ];
        for (const [title, { y }] of headings) {
          const below = runHeights[runs.indexOf(title)] ?? headingAndTwoLines;
          const left = y / pointsPerPixel - margin;
          expect({ pushed, title, fits: left >= below - 1 }).toEqual({ pushed, title, fits: true });
        }
      }
    },
    30_000,
  );

  test('it is four pages at most', async () => {
    const pdf = await (await print(3)).pdf({ format });
    const pages = pdf.toString('latin1').match(/\/Type \/Page\n/g);
    expect([3, 4]).toContain(pages?.length);
  });
});

test('paper is never dark, and nothing on it needs a background', async () => {
  const page = await show({ width: 720, colorScheme: 'dark', media: 'print' });
  expect(
    await page.evaluate(`(({ backgroundColor, color, colorScheme }) => ({ backgroundColor, color, colorScheme }))(
      getComputedStyle(document.body))`),
  ).toEqual({
    backgroundColor: 'rgb(255, 255, 255)',
    color: 'rgb(27, 31, 36)',
    colorScheme: 'light',
  });
  const coloured = boxes('body *', 'getComputedStyle(each).backgroundColor');
  expect(new Set(await page.evaluate<string[]>(coloured))).toEqual(
    new Set(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']),
  );
});

const boxes = (selector: string, what: string): string =>
  `[...document.querySelectorAll('${selector}')].map((each) => { const { height } = each.getBoundingClientRect(); return ${what}; })`;

interface Place {
  /** The number of its object in the document. */
  readonly page: string;
  /** Points from the lower edge of the paper. */
  readonly y: number;
}

/** Where the outline of the document says that each heading is. */
const headingsOf = (pdf: string): Map<string, Place> =>
  new Map(
    Array.from(
      pdf.matchAll(
        /\/Title \(([^\n]*)\)\n(?:\/(?!Dest)[^\n]*\n)*\/Dest \[(\d+) 0 R \/XYZ [\d.]+ ([\d.]+) 0\]/g,
      ),
      ([, title = '', page = '', y]) => [title, { page, y: Number(y) }],
    ),
  );
