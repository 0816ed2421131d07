import { expect, test } from '@jest/globals';
import { document } from '../../cli/document.ts';
import { fakeReport } from './html/fake-report.ts';

test('the document is the result, with a list of figures in one line', () => {
  const server = 'a [\n  1,\n  2\n] b';
  const { rehearsal } = fakeReport(undefined, server);
  const text = document(rehearsal);
  expect(JSON.parse(text)).toEqual(rehearsal);
  expect(text).toMatch(/"connections": \[0, 20, 20, .*, 0\],\n/);
  expect(text.split('\n').length).toBeLessThan(500);
});
