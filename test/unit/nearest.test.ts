import { describe, expect, test } from '@jest/globals';
import { nearest } from '../../src/nearest.ts';

const KNOWN = ['size', 'max', 'url', 'maxWaiting', 'acquireTimeoutMillis', 'partitions'];

describe('the nearest known word', () => {
  test.each([
    ['siz', 'size'],
    ['sise', 'size'],
    ['ulr', 'url'],
    ['maxwaitng', 'maxWaiting'],
    ['acquireTimeout', 'acquireTimeoutMillis'],
    ['partition', 'partitions'],
    ['MAX', 'max'],
  ])('of %s is %s', (word, meant) => {
    expect(nearest(word, KNOWN)).toBe(meant);
  });

  test.each(['min', 'timeout', '', 'x', 'queueLimit'])('of %s is none', (word) => {
    expect(nearest(word, KNOWN)).toBeUndefined();
  });
});
