import { describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { page as write } from '../../../cli/html/page.ts';
import { fakeReport } from './fake-report.ts';
import { brightness, colliding, overflowing, show, useBrowser } from './shown.ts';

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

const schemes = ['light', 'dark'] as const;

test.each([360, 800, 1_024, 1_280])(
  'at %i px only the tables of the pictures are wider than what is seen of them',
  async (width) => {
    const page = await show({ width, colorScheme: 'light' });
    const wide = await page.evaluate(`[...document.querySelectorAll('.scrollable')]
      .filter((each) => each.scrollWidth > each.clientWidth)
      .filter((each) => each.closest('details') === null)
      .map((each) => each.getAttribute('aria-label'))`);
    expect(wide).toEqual([]);
  },
);

test('a table whose rows are cards on a telephone is the same table to those who hear it', async () => {
  const heard = async (width: number): Promise<Record<string, number>> => {
    const page = await show({ width, colorScheme: 'light' });
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const roles = nodes.map(({ role }) => String(role?.value));
    const count = (role: string): number => roles.filter((each) => each === role).length;
    const all = ['table', 'row', 'columnheader', 'rowheader', 'cell'];
    return Object.fromEntries(all.map((role) => [role, count(role)]));
  };
  const wide = await heard(1_280);
  expect(wide['columnheader']).toBeGreaterThan(20);
  expect(await heard(360)).toEqual(wide);
});

test('a card names each of its figures', async () => {
  const page = await show({ width: 360, colorScheme: 'light' });
  const named = `[...document.querySelectorAll('.cards tr')].slice(2, 3).flatMap((row) =>
    [...row.querySelectorAll('td')].map((cell) => getComputedStyle(cell, '::before').content))`;
  expect((await page.evaluate<string[]>(named)).slice(0, 3)).toEqual(
    ['in time', 'came', 'answered in time'].map((title) => expect.stringContaining(title)),
  );
});

describe.each(schemes)('in %s a table that is cut off', (colorScheme) => {
  test('has a shadow at the edge beyond which there is more, and at no other', async () => {
    const page = await show({ width: 360, colorScheme });
    const region = page.locator('.runs .scrollable').first();
    const middle = await brightness(region, 0.5);
    const shaded = async (): Promise<boolean[]> => {
      const edges = [await brightness(region, 0), await brightness(region, 1)];
      return edges.map((edge) => Math.abs(edge - middle) > 20);
    };
    expect(await shaded()).toEqual([false, true]);
    await page.evaluate(`document.querySelector('.runs .scrollable').scrollLeft = 100`);
    expect(await shaded()).toEqual([true, true]);
    await page.evaluate(`document.querySelector('.runs .scrollable').scrollLeft = 9_999`);
    expect(await shaded()).toEqual([true, false]);
  });

  test('has a name, and scrolls with the keyboard', async () => {
    const page = await show({ width: 360, colorScheme });
    const region = page.getByRole('region', { name: 'One shared pool, over time' });
    await region.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(`document.activeElement.scrollLeft > 0`);
  });
});

test('nothing is asked for from anywhere', async () => {
  const page = await show({ width: 360, colorScheme: 'light' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.setContent(write(fakeReport()), { waitUntil: 'networkidle' });
  expect(asked).toEqual([]);
});
