import { expect, test } from '@jest/globals';
import { fill } from '../../bench/pages.ts';

const page = 'before\n<!-- bench: memory -->\nold\n<!-- bench: end -->\nafter\n';

test('a page gets new tables in the place of the old ones, again and again', () => {
  const once = fill(page, 'memory', 'new\n');
  expect(once).toBe(
    'before\n<!-- bench: memory -->\n\n```text\nnew\n```\n\n<!-- bench: end -->\nafter\n',
  );
  expect(fill(once, 'memory', 'new')).toBe(once);
});

test('a page without a place for the part stays as it is', () => {
  expect(fill(page, 'incident', 'new')).toBe(page);
});
