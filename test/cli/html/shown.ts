import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
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
