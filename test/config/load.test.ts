import { relative } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { loadConfig, type LoadOptions, type ServiceConfig } from '../../config/index.ts';
import { isConfigError, Partitioner } from '../../src/index.ts';
import { folder, type Folder } from './folder.ts';

const folders: Folder[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) made[Symbol.dispose]();
});

const FILE = 'watertight.config.json';

/** What `loadConfig` makes of these files and this environment. */
function loaded(
  code: ServiceConfig,
  files: Readonly<Record<string, string>> = {},
  options: LoadOptions = {},
): ServiceConfig {
  const made = folder(files);
  folders.push(made);
  return loadConfig(code, { cwd: made.path, env: {}, ...options });
}

function faults(...given: Parameters<typeof loaded>): string[] {
  try {
    loaded(...given);
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return error.faults.map(({ path, rule }) => `${path}: ${rule}`);
  }
  return [];
}

const shop = `{
  "acquireTimeoutMillis": 500,
  "services": {
    "shop": {
      "max": 20,
      "defaultPartition": "order",
      "partitions": {
        "order": { "size": 8, "acquireTimeoutMillis": 250 },
        "search": 8,
        "batch": { "size": 2, "max": 4 }
      }
    },
    "mail": { "partitions": { "send": 3 }, "maxWaiting": "Infinity" }
  }
}`;

describe('the configuration of a service', () => {
  test('may be all in code', () => {
    const code = { max: 20, partitions: { order: 8, batch: { size: 4, maxWaiting: 0 } } };
    expect(loaded(code)).toEqual({
      max: 20,
      partitions: { order: { size: 8 }, batch: { size: 4, maxWaiting: 0 } },
    });
  });

  test('may be all in a file: its own section before what is said for all', () => {
    expect(loaded({}, { [FILE]: shop }, { service: 'shop' })).toEqual({
      max: 20,
      defaultPartition: 'order',
      acquireTimeoutMillis: 500,
      partitions: {
        order: { size: 8, acquireTimeoutMillis: 250 },
        search: { size: 8 },
        batch: { size: 2, max: 4 },
      },
    });
    expect(loaded({}, { [FILE]: shop }, { env: { WATERTIGHT_SERVICE: 'mail' } })).toEqual({
      acquireTimeoutMillis: 500,
      maxWaiting: Infinity,
      partitions: { send: { size: 3 } },
    });
  });

  test('may be all in the environment', () => {
    const env = {
      WATERTIGHT_PARTITIONS: 'order=8, search=8..10, batch=4',
      WATERTIGHT_MAX: '24',
      WATERTIGHT_DEFAULT_PARTITION: 'order',
      WATERTIGHT_ACQUIRE_TIMEOUT_MILLIS: '750.5',
      WATERTIGHT_MAX_WAITING: 'Infinity',
    };
    expect(loaded({}, {}, { env })).toEqual({
      max: 24,
      defaultPartition: 'order',
      acquireTimeoutMillis: 750.5,
      maxWaiting: Infinity,
      partitions: { order: { size: 8 }, search: { size: 8, max: 10 }, batch: { size: 4 } },
    });
  });

  test('is retuned option by option: environment before file before code', () => {
    const code = {
      max: 20,
      maxWaiting: 10,
      partitions: { order: { size: 8, acquireTimeoutMillis: 100 }, batch: 4 },
    };
    const file = '{ "maxWaiting": 20, "partitions": { "order": { "acquireTimeoutMillis": 200 } } }';
    const env = { WATERTIGHT_PARTITIONS: 'order=10', WATERTIGHT_MAX_WAITING: '30' };
    expect(loaded(code, { [FILE]: file })).toEqual({
      max: 20,
      maxWaiting: 20,
      partitions: { order: { size: 8, acquireTimeoutMillis: 200 }, batch: { size: 4 } },
    });
    expect(loaded(code, { [FILE]: file }, { env })).toEqual({
      max: 20,
      maxWaiting: 30,
      partitions: { order: { size: 10, acquireTimeoutMillis: 200 }, batch: { size: 4 } },
    });
  });

  test('is what a partitioner takes, with the names of the code as its names', () => {
    const config = loadConfig({ partitions: { order: 8, batch: 4 } }, { env: {}, cwd: '/' });
    const partitioner = new Partitioner(config);
    // @ts-expect-error -- a misspelt name does not compile
    expect(() => partitioner.partition('ordre')).toThrow(/unknown partition/);
    expect(partitioner.partition('order').size).toBe(8);
  });

  test('ignores variables that are set to nothing', () => {
    const env = { WATERTIGHT_PARTITIONS: '', WATERTIGHT_SERVICE: '', WATERTIGHT_CONFIG: '' };
    expect(loaded({ partitions: { order: 1 } }, {}, { env })).toEqual({
      partitions: { order: { size: 1 } },
    });
  });
});

describe('the file', () => {
  test('is the nearest one, here or above', () => {
    const made = folder({ [FILE]: '{ "partitions": { "above": 1 } }', 'a/b/empty': '' });
    folders.push(made);
    const options = { cwd: `${made.path}/a/b`, env: {} };
    expect(loadConfig({}, options).partitions).toEqual({ above: { size: 1 } });
    const near = { ...options, cwd: relative('', options.cwd) };
    expect(loadConfig({}, near).partitions).toEqual({ above: { size: 1 } });
    made.write(`a/${FILE}`, '{ "partitions": { "nearer": 1 } }');
    expect(loadConfig({}, options).partitions).toEqual({ nearer: { size: 1 } });
  });

  test.each([
    ['watertight.config.cjs', 'module.exports = { partitions: { order: 2 } };'],
    ['watertight.config.js', 'exports.partitions = { order: 2 };'],
  ])('may be a module: %s', (name, content) => {
    expect(loaded({}, { [name]: content })).toEqual({ partitions: { order: { size: 2 } } });
  });

  test('is the one that is named, wherever it is', () => {
    const files = { 'ops/pools.json': '{ "partitions": { "order": 3 } }', [FILE]: '{' };
    const wanted = { partitions: { order: { size: 3 } } };
    expect(loaded({}, files, { file: 'ops/pools.json' })).toEqual(wanted);
    expect(loaded({}, files, { env: { WATERTIGHT_CONFIG: 'ops/pools.json' } })).toEqual(wanted);
  });
});

describe('faults are told all at once, with their place', () => {
  test('in a file with its line', () => {
    const file = `{
  "$schema": "x",
  "maxWating": 5,
  "services": {
    "shop": {
      "max": 10,
      "partitions": {
        "order": { "size": "eight" },
        "search": { "size": 4, "siez": 4 }
      }
    },
    "mail": 7
  }
}`;
    expect(faults({}, { [FILE]: file }, { service: 'shop' })).toEqual([
      `${FILE}:3: maxWating: unknown option; did you mean 'maxWaiting'?`,
      `${FILE}:9: services.shop.partitions.search.siez: unknown option; did you mean 'size'?`,
      `${FILE}:12: services.mail: expected an object`,
    ]);
  });

  test('in values, wherever they come from', () => {
    const file = `{
  "acquireTimeoutMillis": 60000,
  "partitions": {
    "order": { "size": "eight" },
    "search": 8
  }
}`;
    const env = { WATERTIGHT_MAX: 'twenty', WATERTIGHT_DEFAULT_PARTITION: 'serach' };
    expect(faults({ maxWaiting: -1 }, { [FILE]: file }, { env })).toEqual([
      expect.stringContaining(`${FILE}:2: acquireTimeoutMillis: expected milliseconds`),
      'code: maxWaiting: expected an integer from 0 up',
      `${FILE}:4: partitions.order.size: expected an integer from 0 up`,
      'WATERTIGHT_MAX: max: expected an integer from 1 up',
      'WATERTIGHT_DEFAULT_PARTITION: defaultPartition: expected one of order, search',
    ]);
  });

  test('in sizes that do not fit into the pool', () => {
    expect(
      faults({ max: 4, partitions: { order: 2, batch: 2 } }, undefined, {
        env: { WATERTIGHT_PARTITIONS: 'order=3' },
      }),
    ).toEqual(['partitions: the sizes add up to 3 + 2 = 5, more than max = 4']);
  });

  test.each<[string, ServiceConfig, Record<string, string>, RegExp]>([
    [
      'a misspelt partition',
      { partitions: { order: 1 } },
      { WATERTIGHT_PARTITIONS: 'ordre=2' },
      /^WATERTIGHT_PARTITIONS: unknown partition 'ordre'; did you mean 'order'\?$/,
    ],
    [
      'a list that cannot be read',
      {},
      { WATERTIGHT_PARTITIONS: 'order:8' },
      /^WATERTIGHT_PARTITIONS: expected name=size or name=size..max$/,
    ],
    [
      'a partition given twice',
      {},
      { WATERTIGHT_PARTITIONS: 'order=8,order=9' },
      /^WATERTIGHT_PARTITIONS: 'order' is given twice$/,
    ],
    [
      'a misspelt variable',
      { partitions: { order: 1 } },
      { WATERTIGHT_PARTITION: 'order=2' },
      /^WATERTIGHT_PARTITION: unknown variable; did you mean 'WATERTIGHT_PARTITIONS'\?$/,
    ],
    [
      'a file that is not there',
      {},
      { WATERTIGHT_CONFIG: 'nowhere.json' },
      /^nowhere.json: there is no such file$/,
    ],
    [
      'a folder where a file should be',
      {},
      { WATERTIGHT_CONFIG: '..' },
      /: it cannot be read: it is a folder$/,
    ],
    ['no partitions at all', {}, {}, /^partitions: expected at least one, in code, in a config/],
  ])('%s', (_name, code, env, wanted) => {
    expect(faults(code, {}, { env })).toEqual([expect.stringMatching(wanted)]);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['broken JSON', { [FILE]: '{\n  "max": 20,\n  partitions\n}' }, /json:3: this is not JSON: /],
    ['cut off JSON', { [FILE]: '{\n  "max": 20' }, /json:2: this is not JSON: /],
    ['a list', { [FILE]: '[]' }, /json: expected an object with partitions or services$/],
    [
      'two files',
      { [FILE]: '{}', 'watertight.config.js': '' },
      /expected one configuration file, there are watertight.config.json and watertight.config.js$/,
    ],
    [
      'a module that throws',
      { 'watertight.config.cjs': 'throw new Error("no")' },
      /^watertight.config.cjs: it cannot be loaded: no$/,
    ],
    [
      'partitions that are none',
      { [FILE]: '{ "partitions": [4] }' },
      /json:1: partitions: expected an object of partitions by name$/,
    ],
  ])('%s', (_name, files, wanted) => {
    expect(faults({}, files)[0]).toMatch(wanted);
  });

  test('a service that is not in the file', () => {
    expect(faults({}, { [FILE]: shop }, { service: 'shpo' })).toEqual([
      `${FILE}: there is no service 'shpo'; did you mean 'shop'?`,
    ]);
    expect(faults({}, { [FILE]: shop })).toEqual([
      `${FILE}: expected WATERTIGHT_SERVICE to name one of shop, mail`,
    ]);
  });
});
