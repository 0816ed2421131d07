import { describe, expect, test } from '@jest/globals';
import { resolveConfig } from '../../src/config.ts';
import { isConfigError, Partitioner, type ConfigError } from '../../src/index.ts';

/** Every fault that is found, as path and rest of the message. */
function faultsOf(given: unknown): string[] {
  try {
    resolveConfig(given);
  } catch (error) {
    if (!isConfigError(error)) throw error;
    const lines = error.message.replace(/^watertight: /, '').split('\n');
    return lines.length === 1 ? lines : lines.slice(1).map((line) => line.replace('  - ', ''));
  }
  return [];
}

describe('a configuration', () => {
  test('is filled in with the defaults', () => {
    expect(resolveConfig({ partitions: { order: 8, batch: { size: 2, max: 4 } } })).toEqual({
      max: 10,
      defaults: { acquireTimeoutMillis: 2000, maxWaiting: 100 },
      partitions: [
        { name: 'order', size: 8, max: 8, acquireTimeoutMillis: 2000, maxWaiting: 100 },
        { name: 'batch', size: 2, max: 4, acquireTimeoutMillis: 2000, maxWaiting: 100 },
      ],
    });
  });

  test('gives its own defaults to partitions that do not say otherwise', () => {
    const { partitions } = resolveConfig({
      acquireTimeoutMillis: 250,
      maxWaiting: 7,
      partitions: { a: 1, b: { size: 1, acquireTimeoutMillis: 0, maxWaiting: 0 } },
    });
    expect(partitions).toMatchObject([
      { acquireTimeoutMillis: 250, maxWaiting: 7 },
      { acquireTimeoutMillis: 0, maxWaiting: 0 },
    ]);
  });

  test('may leave permits unreserved, and may have partitions that reserve none', () => {
    const { max } = resolveConfig({ max: 4, partitions: { a: 1, b: { size: 0, max: 4 } } });
    expect(max).toBe(4);
  });

  test('may let a line grow without limit', () => {
    const { partitions } = resolveConfig({ partitions: { a: { size: 1, maxWaiting: Infinity } } });
    expect(partitions).toMatchObject([{ maxWaiting: Infinity }]);
  });
});

const timeoutRule =
  'expected milliseconds from 0 to 30000 (waiting longer, or for ever, hides an outage)';
const nameRule = `expected a name without control characters, commas, '=' or surrounding blanks`;

describe('a fault of a configuration names the option, the rule and the value:', () => {
  test.each<[string, unknown, string]>([
    ['no object', undefined, 'options: expected an object with partitions, got undefined'],
    ['a list', [], 'options: expected an object with partitions, got an array'],
    ['no partitions', {}, 'partitions: expected an object of partitions by name, got undefined'],
    ['empty partitions', { partitions: {} }, 'partitions: expected at least one partition'],
    [
      'partitions as a list',
      { partitions: ['a'] },
      'partitions: expected an object of partitions by name, got an array',
    ],
    [
      'a size of text',
      { partitions: { a: '8' } },
      "partitions.a: expected a size or an object with a size, got '8'",
    ],
    [
      'half a size',
      { partitions: { a: 1.5 } },
      'partitions.a: expected an integer from 0 up, got 1.5',
    ],
    [
      'a size below 0',
      { partitions: { a: -1 } },
      'partitions.a: expected an integer from 0 up, got -1',
    ],
    [
      'a size of NaN',
      { partitions: { a: NaN } },
      'partitions.a: expected an integer from 0 up, got NaN',
    ],
    [
      'no size',
      { partitions: { a: {} } },
      'partitions.a.size: expected an integer from 0 up, got undefined',
    ],
    [
      'a partition that can hold nothing',
      { max: 1, partitions: { a: 0 } },
      'partitions.a: expected a size or a max of at least 1; it could never hold anything',
    ],
    [
      'a ceiling below the size',
      { max: 4, partitions: { a: { size: 3, max: 2 } } },
      'partitions.a.max: expected at least its size, 3, got 2',
    ],
    [
      'a ceiling above the pool',
      { max: 4, partitions: { a: { size: 1, max: 5 } } },
      "partitions.a.max: expected at most the pool's max, 4, got 5",
    ],
    [
      'a ceiling above the sum, when the pool has no max of its own',
      { partitions: { a: { size: 1, max: 5 } } },
      "partitions.a.max: expected at most the pool's max, 1 (max defaults to the sum of the sizes), got 5",
    ],
    [
      'sizes above the pool',
      { max: 20, partitions: { order: 8, search: 8, batch: 5 } },
      'partitions: the sizes add up to 8 + 8 + 5 = 21, more than max = 20',
    ],
    [
      'a pool of nothing',
      { max: 0, partitions: { a: { size: 0, max: 1 } } },
      'max: expected an integer from 1 up, got 0',
    ],
    [
      'a wait of a minute',
      { partitions: { a: { size: 1, acquireTimeoutMillis: 60_000 } } },
      `partitions.a.acquireTimeoutMillis: ${timeoutRule}, got 60000`,
    ],
    [
      'a wait for ever',
      { acquireTimeoutMillis: Infinity, partitions: { a: 1 } },
      `acquireTimeoutMillis: ${timeoutRule}, got Infinity`,
    ],
    [
      'a negative wait',
      { acquireTimeoutMillis: -1, partitions: { a: 1 } },
      `acquireTimeoutMillis: ${timeoutRule}, got -1`,
    ],
    [
      'a line below 0',
      { partitions: { a: { size: 1, maxWaiting: -1 } } },
      'partitions.a.maxWaiting: expected an integer from 0 up, got -1',
    ],
    [
      'half a line',
      { maxWaiting: 0.5, partitions: { a: 1 } },
      'maxWaiting: expected an integer from 0 up, got 0.5',
    ],
    ['a name with a comma', { partitions: { 'a,b': 1 } }, `partitions.a,b: ${nameRule}, got 'a,b'`],
    [
      'a name with blanks around',
      { partitions: { ' a': 1 } },
      `partitions. a: ${nameRule}, got ' a'`,
    ],
    ['an empty name', { partitions: { '': 1 } }, `partitions.: ${nameRule}, got ''`],
    [
      'a misspelt option',
      { partitions: { a: { size: 1, acquireTimeoutMs: 1 } } },
      "partitions.a.acquireTimeoutMs: unknown option; did you mean 'acquireTimeoutMillis'?",
    ],
    [
      'a misspelt top option',
      { partition: {}, partitions: { a: 1 } },
      "partition: unknown option; did you mean 'partitions'?",
    ],
    [
      'an option unlike any',
      { colour: 1, partitions: { a: 1 } },
      'colour: unknown option; there are max, partitions, acquireTimeoutMillis, maxWaiting',
    ],
  ])('%s', (_what, given, message) => {
    expect(faultsOf(given)).toEqual([message]);
  });
});

describe('the faults of a configuration', () => {
  test('are reported all at once', () => {
    const given = {
      max: 10,
      maxWaiting: -1,
      sise: 3,
      partitions: { a: { size: 8, max: 7 }, b: { size: 8, acquireTimeoutMillis: 60_000 } },
    };
    expect(faultsOf(given).map((fault) => fault.split(':')[0])).toEqual([
      'sise',
      'maxWaiting',
      'partitions.a.max',
      'partitions.b.acquireTimeoutMillis',
      'partitions',
    ]);
  });

  test('do not include guesses made from a value that is itself a fault', () => {
    expect(faultsOf({ max: 'ten', partitions: { a: { size: 1, max: 5 } } })).toHaveLength(1);
    expect(faultsOf({ partitions: { a: { size: 'x' }, b: { size: 1, max: 3 } } })).toHaveLength(1);
    expect(faultsOf({ max: 4, partitions: { a: { size: -1, max: 0 } } })).toHaveLength(1);
    expect(faultsOf({ max: 4, partitions: { a: { size: 1, max: 'x' } } })).toHaveLength(1);
  });

  test('are also data', () => {
    const make = (): unknown => new Partitioner({ partitions: { a: -1 } });
    let error: unknown;
    try {
      make();
    } catch (thrown) {
      error = thrown;
    }
    expect(isConfigError(error)).toBe(true);
    expect((error as ConfigError).faults).toEqual([
      { path: 'partitions.a', rule: 'expected an integer from 0 up', got: -1 },
    ]);
  });

  test('show of a value that is no number or text only what it is', () => {
    const values = [{ secret: 1 }, () => 1, [1], null, true, 1n];
    const shown = values.map((max) => faultsOf({ max, partitions: { a: 1 } })[0]?.split('got ')[1]);
    expect(shown).toEqual(['an object', 'a function', 'an array', 'null', 'true', '1n']);
  });
});
