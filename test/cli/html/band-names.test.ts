import { expect, test } from '@jest/globals';
import { nameBands } from '../../../cli/html/band-names.ts';
import { stacked } from '../../../cli/html/bands.ts';

const scales = { pixelsPerMoment: 7, pixelsPerValue: 5 };
const bands = (...lists: number[][]) =>
  stacked(lists.map((values, texture) => ({ name: 'ab', texture, values })));

test('a name stands in the thickest place of its band', () => {
  const [name] = nameBands(bands([0, 3, 3, 3, 8, 8, 8, 8, 0]), scales);
  // Two letters and their margin need three moments.
  expect(name).toEqual({ text: 'ab', moment: 5.5, value: 4 });
});

test('a name is left out where its band is thin, or moves out from under it', () => {
  const saw = [0, 9, 0, 9, 0, 9, 0, 9];
  expect(nameBands(bands([2, 2, 2, 2, 2, 2, 2, 2]), scales)).toEqual([]);
  expect(nameBands(bands(saw), scales)).toEqual([]);
  expect(nameBands(bands(saw, [9, 9, 9, 9, 9, 9, 9, 9]), scales)).toEqual([]);
});
