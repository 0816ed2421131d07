import { describe, expect, test } from '@jest/globals';
import { bar, clip, duration, firstFitting, lookOf, paint, percent, wrap } from '../../cli/text.ts';

describe('figures', () => {
  test('never round almost all to all, nor something to nothing', () => {
    expect([1, 0.99999, 0.999, 0.5, 0.0001, 0].map(percent)).toEqual([
      '100 %',
      '99.9 %',
      '99.9 %',
      '50 %',
      '< 0.1 %',
      '0 %',
    ]);
    expect([1, 0.9999, 0.5, 0.0001, 0].map((share) => bar(share, 4))).toEqual([
      '████',
      '███░',
      '██░░',
      '█░░░',
      '░░░░',
    ]);
  });

  test('have units', () => {
    expect([0, 16.4, 999.4, 999.6, 60_150].map(duration)).toEqual([
      '0 ms',
      '16 ms',
      '999 ms',
      '1.0 s',
      '60.1 s',
    ]);
  });

  test('fit: text is clipped and wrapped', () => {
    expect([clip('abcdef', 4), clip('abc', 4)]).toEqual(['abc…', 'abc']);
    expect([9, 6, 3].map((columns) => firstFitting(['all of it', 'some'], columns))).toEqual([
      'all of it',
      'some',
      'so…',
    ]);
    expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour');
  });

  test('are not parted from their units where a line breaks', () => {
    const text = 'got 42 %, < 0.1 % of 1.5 s, 150 ms, 20 MB and 3 (5 s) for 4 searches in 2 msgs';
    const lines = wrap(text, 1).split('\n');
    expect(lines.join(' ')).toBe(text);
    expect(lines).toEqual([
      ...['got', '42 %,', '< 0.1 %', 'of', '1.5 s,', '150 ms,', '20 MB', 'and', '3', '(5 s)'],
      ...['for', '4', 'searches', 'in', '2', 'msgs'],
    ]);
  });

  test('keep their indentation on every line', () => {
    expect(wrap('  one two three', 9)).toBe('  one two\n  three');
  });
});

describe('colour', () => {
  test.each<[object, NodeJS.ProcessEnv, boolean]>([
    [{ isTTY: true, columns: 100 }, {}, true],
    [{ isTTY: true, columns: 100 }, { NO_COLOR: '1' }, false],
    [{ isTTY: true, columns: 100 }, { NO_COLOR: '' }, true],
    [{ isTTY: true, columns: 100 }, { TERM: 'dumb' }, false],
    [{}, {}, false],
  ])('on %p with %p: %p', (stream, env, colour) => {
    const look = lookOf(stream, env);
    expect(look.colour).toBe(colour);
    expect(paint(look, 'red', 'x')).toBe(colour ? '\u001B[31mx\u001B[39m' : 'x');
  });
});
