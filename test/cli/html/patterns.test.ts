import { describe, expect, test } from '@jest/globals';
import { page } from '../../../cli/html/page.ts';
import { palette } from '../../../cli/html/palette.ts';
import { colourOf, fillOf, textureDefinitions } from '../../../cli/html/patterns.ts';
import { style } from '../../../cli/html/style.ts';
import { fakeReport, ninePartitions } from './fake-report.ts';

const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const bodiesOf = (partitions: number): string[] =>
  Array.from(
    textureDefinitions(partitions).text.matchAll(/<pattern[^>]*>(.*?)<\/pattern>/g),
    ([, body = '']) => body,
  );

describe('partitions', () => {
  test('have eight different textures, and colours to go with them', () => {
    expect(new Set(bodiesOf(8)).size).toBe(8);
    expect(new Set(indices(8).map(colourOf)).size).toBe(8);
  });

  test('up to 64 differ in the pair of texture and colour, and each pair is defined', () => {
    expect(new Set(indices(64).map(fillOf)).size).toBe(64);
    expect(bodiesOf(9)[8]).toBe(bodiesOf(9)[0]);
    expect(colourOf(8)).not.toBe(colourOf(0));
    const defined = textureDefinitions(100).text;
    for (const index of indices(100)) {
      expect(defined).toContain(
        `<pattern id="${fillOf(index).slice(5, -1)}" class="${colourOf(index)}"`,
      );
    }
    const ids = [...defined.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('that are more than the textures are told apart in words', () => {
    expect(page(fakeReport())).not.toContain('further partitions have the same ones');
    const html = page(fakeReport(ninePartitions()));
    expect(html).toContain(
      'There are 8 textures; further partitions have the same ones in other colours.',
    );
    // From the bottom up, as they are stacked.
    expect(html).toContain(
      'at most batch 15, order 10, search 10, cart 10, login 10, stock 10, prices 10, mail 10 and reviews 10',
    );
  });
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  const panels = [...style.text.matchAll(/--panel: (#\w{6})/g)].map(([, colour = '']) => colour);
  const panel = panels[scheme === 'light' ? 0 : 1] ?? '';

  test.each(palette.map(({ [scheme]: { full, tint } }) => [full, tint]))(
    '%s can be made out on its tint %s and on the panel',
    (full, tint) => {
      expect(contrast(full, tint)).toBeGreaterThan(3);
      expect(contrast(full, panel)).toBeGreaterThan(3);
    },
  );
});

/** As WCAG 2 defines it; 3 is what it asks of graphics. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
