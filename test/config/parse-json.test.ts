import { describe, expect, test } from '@jest/globals';
import { NotJson, parseJson } from '../../config/parse-json.ts';

function faultOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return [error.line, error.message.replace('this is not JSON: ', '')];
  }
}

test('JSON is read', () => {
  expect(faultOf('{ "a": [1, "\\n", true] }')).toEqual({ a: [1, '\n', true] });
});

describe('what is not JSON has a line, whether the engine tells a position or not', () => {
  const lines = (fault: string): string => `{\n  "max": 20,\n  ${fault}\n  "last": [1]\n}\n`;

  test.each([
    ['"batch": bath,'],
    ['"batch": +4,'],
    ['"batch": nul,'],
    ['batch: 4,'],
    ['"batch" 4,'],
    ['"batch": 4'],
    ['// batch'],
    ['"batch": "4,'],
    ['"batch": [4,],'],
    ['"batch": {}}'],
  ])('%s', (fault) => {
    // Only the next line shows that something is missing, or too much.
    const line = ['"batch": 4', '"batch": {}}'].includes(fault) ? 4 : 3;
    expect(faultOf(lines(fault))).toEqual([line, expect.not.stringMatching(/\n|position|last/)]);
  });

  test.each<[string, number]>([
    ['', 1],
    ['{\n  "max": 20', 2],
    ['{\n  "max": tru', 2],
    ['\n\nmax = 20\n', 3],
  ])('%j', (text, line) => {
    expect(faultOf(text)).toEqual([line, expect.stringMatching(/^\w/)]);
  });
});
