import { describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { page as write } from '../../../cli/html/page.ts';
import { fakeReport } from './fake-report.ts';
import { colliding, overflowing, show, useBrowser } from './shown.ts';

useBrowser();

describe.each([
  { width: 360, colorScheme: 'light', partitions: 3 },
  { width: 360, colorScheme: 'dark', partitions: 3 },
  { width: 800, colorScheme: 'light', partitions: 9 },
  { width: 1280, colorScheme: 'light', partitions: 3 },
  { width: 1280, colorScheme: 'dark', partitions: 3 },
] as const)(
  'on a screen of $width px, $colorScheme, with $partitions partitions',
  (circumstances) => {
    test('nothing makes the page wider than the screen', async () => {
      const page = await show(circumstances);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(circumstances.width);
      expect(await page.evaluate(overflowing('.scrollable, svg'))).toEqual([]);
    });

    test('no text of a picture lies on another', async () => {
      const page = await show(circumstances);
      expect(
        await page.evaluate('document.querySelectorAll("svg.chart text").length'),
      ).toBeGreaterThan(50);
      expect(await page.evaluate(colliding)).toEqual([]);
    });

    test('axe finds nothing that keeps anybody out', async () => {
      const page = await show(circumstances);
      await page.evaluate(axe.source);
      const { violations, passes } = await page.evaluate<axe.AxeResults>('axe.run()');
      const told = violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
      expect(told).toEqual([]);
      expect(passes.length).toBeGreaterThan(20);
    });
  },
);

test('nothing is asked for from anywhere', async () => {
  const page = await show({ width: 360, colorScheme: 'light' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.setContent(write(fakeReport()), { waitUntil: 'networkidle' });
  expect(asked).toEqual([]);
});
