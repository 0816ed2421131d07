import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { page as write } from '../../../cli/html/page.ts';
import { findChromium } from './chromium.ts';
import { fakeReport, ninePartitions } from './fake-report.ts';

export interface Circumstances {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly media?: 'screen' | 'print';
  readonly partitions?: 3 | 9;
}

let browser: Browser;
let shown: Page | undefined;

/** One browser for the tests of a file, and a page for each of them. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: false });
  });
  afterAll(() => browser?.close());
  afterEach(() => shown?.close());
}

/** Everything on the page, also what is folded away at first. */
export async function show(circumstances: Circumstances): Promise<Page> {
  const { width, colorScheme, media = 'screen', partitions = 3 } = circumstances;
  // The page lets no script run; what examines it is one.
  const page = await browser.newPage({ viewport: { width, height: 900 }, bypassCSP: true });
  shown = page;
  await page.emulateMedia({ colorScheme, media });
  await page.setContent(write(partitions === 3 ? fakeReport() : fakeReport(ninePartitions())));
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
  return page;
}

/** Elements that reach out of the page, unless they may be scrolled into view by themselves. */
export const overflowing = (excused: string): string => `[...document.body.querySelectorAll('*')]
  .filter((element) => !element.parentElement.closest('${excused}'))
  .filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < -0.5 || right > document.documentElement.clientWidth + 0.5;
  })
  .map((element) => element.outerHTML.slice(0, 80))`;

/** Of the uppermost pixels of an element, so far from its left edge: 0 is black, 255 white. */
export async function brightness(element: Locator, share: number): Promise<number> {
  const { x, y, width } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  const side = 2;
  const clip = { x: x + share * (width - side), y, width: side, height: side };
  const image = (await element.page().screenshot({ clip, fullPage: true })).toString('base64');
  return element.page().evaluate<number>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${image}';
    await image.decode();
    const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
    context.drawImage(image, 0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3;
  })()`);
}

/** Pairs of texts of one picture that lie on each other, and texts that lie outside of it. */
export const colliding = `[...document.querySelectorAll('svg.chart')].flatMap((svg) => {
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
