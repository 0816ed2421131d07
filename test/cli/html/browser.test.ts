import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { page as write } from '../../../cli/html/page.ts';
import { findChromium } from './chromium.ts';
import { fakeReport } from './fake-report.ts';

let browser: Browser;
let shown: Page | undefined;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: false });
});
afterAll(() => browser?.close());
afterEach(() => shown?.close());

interface Circumstances {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly media?: 'screen' | 'print';
}

/** Everything on the page, also what is folded away at first. */
async function show({ width, colorScheme, media = 'screen' }: Circumstances): Promise<Page> {
  // The page lets no script run; what examines it is one.
  const page = await browser.newPage({ viewport: { width, height: 900 }, bypassCSP: true });
  shown = page;
  await page.emulateMedia({ colorScheme, media });
  await page.setContent(write(fakeReport()));
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
  return page;
}

/** Elements that reach out of the page, unless they may be scrolled into view by themselves. */
const overflowing = `[...document.body.querySelectorAll('*')]
  .filter((element) => !element.parentElement.closest('.scrollable, svg'))
  .filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < -0.5 || right > document.documentElement.clientWidth + 0.5;
  })
  .map((element) => element.outerHTML.slice(0, 80))`;

/** Pairs of texts of one picture that lie on each other, and texts that lie outside of it. */
const colliding = `[...document.querySelectorAll('svg.chart')].flatMap((svg) => {
  const box = (element) => element.getBoundingClientRect();
  const meet = (a, b) =>
    a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const texts = [...svg.querySelectorAll('text')];
  const within = box(svg);
  return texts.flatMap((text, index) => [
    ...texts
      .slice(index + 1)
      .filter((other) => meet(box(text), box(other)))
      .map((other) => text.textContent + ' / ' + other.textContent),
    ...(box(text).left < within.left || box(text).right > within.right ? [text.textContent] : []),
  ]);
})`;

describe.each([
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 800, colorScheme: 'light' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const)('on a screen of $width px, $colorScheme', (circumstances) => {
  test('nothing makes the page wider than the screen', async () => {
    const page = await show(circumstances);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(circumstances.width);
    expect(await page.evaluate(overflowing)).toEqual([]);
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
});

test('on paper it is never dark, and nothing is cut off at the side', async () => {
  const page = await show({ width: 720, colorScheme: 'dark', media: 'print' });
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
    'rgb(255, 255, 255)',
  );
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(720);
});

test('nothing is asked for from anywhere', async () => {
  const page = await show({ width: 360, colorScheme: 'light' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.setContent(write(fakeReport()), { waitUntil: 'networkidle' });
  expect(asked).toEqual([]);
});
