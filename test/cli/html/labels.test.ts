import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placeLabels, widthOf } from '../../../cli/html/labels.ts';

test('a label with room for it stands in the middle', () => {
  expect(placeLabels([{ text: 'ab', middle: 50 }], 0, 100)).toEqual([
    { text: 'ab', left: 50 - widthOf('ab') / 2 },
  ]);
});

test('labels that fit beside each other neither overlap nor leave the picture', () => {
  const label = fc.record({
    text: fc.string({ minLength: 1, maxLength: 8 }),
    middle: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(
    fc.property(fc.array(label, { maxLength: 5 }), (labels) => {
      const placed = placeLabels(
        labels.toSorted((a, b) => a.middle - b.middle),
        0,
        400,
      );
      for (const [index, { text, left }] of placed.entries()) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left + widthOf(text)).toBeLessThanOrEqual(placed[index + 1]?.left ?? 400);
      }
    }),
  );
});
