import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadConfig, type ServiceConfig } from '../../config/index.ts';
import { folder } from './folder.ts';
import { faults, FILE, shop } from './loaded.ts';

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
      `${FILE}:8: partitions.order.size: expected an integer from 0 up`,
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

  test('in values beside options that nobody knows', () => {
    const file = `{
  "maxx": 5,
  "acquireTimeoutMillis": 60000,
  "partitions": {
    "order": { "maxWating": 5 },
    "search": { "siez": 8, "maxWaiting": -1 },
    "batch": {}
  }
}`;
    const env = { WATERTIGHT_MAX: 'ten', WATERTIGHT_MAX_WAITNG: '5' };
    expect(faults({}, { [FILE]: file }, { env }).map((line) => line.replace(/;.*/, ''))).toEqual([
      `${FILE}:2: maxx: unknown option`,
      `${FILE}:5: partitions.order.maxWating: unknown option`,
      `${FILE}:6: partitions.search.siez: unknown option`,
      'WATERTIGHT_MAX_WAITNG: unknown variable',
      expect.stringContaining(`${FILE}:3: acquireTimeoutMillis: expected milliseconds`),
      `${FILE}:5: partitions.order.size: expected an integer from 0 up`,
      // Not its size, which is what the misspelt option was to be.
      `${FILE}:6: partitions.search.maxWaiting: expected an integer from 0 up`,
      `${FILE}:7: partitions.batch.size: expected an integer from 0 up`,
      'WATERTIGHT_MAX: max: expected an integer from 1 up',
    ]);
  });

  test('in the environment beside a file that cannot be read, and none that the file may mend', () => {
    const env = {
      WATERTIGHT_CONFIG: 'nowhere.json',
      WATERTIGHT_MAX_WAITING: 'many',
      WATERTIGHT_PARTITIONS: 'order=8,batch=4..20',
      WATERTIGHT_DEFAULT_PARTITION: 'search',
    };
    expect(faults({}, {}, { env })).toEqual([
      'nowhere.json: there is no such file',
      'WATERTIGHT_MAX_WAITING: maxWaiting: expected an integer from 0 up',
    ]);
  });

  test('and not in what follows from a partition that nobody knows', () => {
    const env = { WATERTIGHT_PARTITIONS: 'ordre=9' };
    expect(faults({ max: 4, partitions: { order: 2 } }, {}, { env })).toEqual([
      "WATERTIGHT_PARTITIONS: unknown partition 'ordre'; did you mean 'order'?",
    ]);
  });

  test('in names that stand twice in an object of a file', () => {
    const file = `{
  "max": 4,
  "partitions": { "order": 3,
    "order": "two" },
  "max": 5
}`;
    expect(faults({}, { [FILE]: file })).toEqual([
      `${FILE}:4: partitions.order: given twice, in line 3 and in line 4`,
      `${FILE}:5: max: given twice, in line 2 and in line 5`,
      `${FILE}:4: partitions.order.size: expected an integer from 0 up`,
    ]);
  });

  test('in sizes that do not fit into the pool, with each place that has a part in it', () => {
    const file = '{\n  "partitions": {\n    "order": 3,\n    "batch": 2\n  },\n  "max": 4\n}';
    const sum = 'partitions: the sizes add up to 3 + 2 = 5, more than max = 4';
    expect(faults({}, { [FILE]: file })).toEqual([`${FILE}:6: ${sum}`]);
    const env = { WATERTIGHT_PARTITIONS: 'order=3,batch=2', WATERTIGHT_MAX: '4' };
    expect(faults({}, {}, { env: { ...env, WATERTIGHT_MAX: '4' } })).toEqual([
      `WATERTIGHT_MAX and WATERTIGHT_PARTITIONS: ${sum}`,
    ]);
    expect(
      faults({}, { [FILE]: file.replace('3', '1') }, { env: { ...env, WATERTIGHT_MAX: '' } }),
    ).toEqual([`${FILE}:6 and WATERTIGHT_PARTITIONS: ${sum}`]);
    expect(faults({}, { [FILE]: file }, { env: { WATERTIGHT_MAX: '4' } })).toEqual([
      `WATERTIGHT_MAX and ${FILE}:3: ${sum}`,
    ]);
    expect(faults({ max: 4, partitions: { order: 5 } })).toEqual([
      'code: partitions: the size 5 is more than max = 4',
    ]);
    expect(
      faults({ max: 4, partitions: { order: 2, batch: 2 } }, undefined, {
        env: { WATERTIGHT_PARTITIONS: 'order=3' },
      }),
    ).toEqual([
      'code and WATERTIGHT_PARTITIONS: partitions: the sizes add up to 3 + 2 = 5, more than max = 4',
    ]);
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
    [
      'a file that is neither JSON nor a module',
      {},
      { WATERTIGHT_CONFIG: 'pools.yaml' },
      /^pools.yaml: expected a file that ends in \.json, \.js,/,
    ],
    ['no partitions at all', {}, {}, /^partitions: expected at least one, in code, in a config/],
  ])('%s', (_name, code, env, wanted) => {
    expect(faults(code, { 'pools.yaml': 'max: 4' }, { env })).toEqual([
      expect.stringMatching(wanted),
    ]);
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
      /^watertight.config.cjs:1: it cannot be loaded: no$/,
    ],
    [
      'a module that cannot be parsed',
      { 'watertight.config.cjs': '\n\nno sense' },
      /^watertight.config.cjs:3: it cannot be loaded: Unexpected identifier/,
    ],
    [
      'partitions that are none',
      { [FILE]: '{ "partitions": [4] }' },
      /json:1: partitions: expected an object of partitions by name$/,
    ],
  ])('%s', (_name, files, wanted) => {
    expect(faults({}, files)[0]).toMatch(wanted);
  });

  test.each<[string, (path: string) => void, RegExp]>([
    ['a loop of links', (path) => symlinkSync(FILE, path), /it is a loop of symbolic links$/],
    ['a link that leads nowhere', (path) => symlinkSync('x', path), /it is a link to a file that/],
    ['a folder', (path) => mkdirSync(path), /it is a folder$/],
    ['UTF-16', (path) => writeFileSync(path, '\uFEFF{}', 'utf16le'), /it is UTF-16; save it as/],
  ])('a file that is %s, and not the one above', (_name, make, wanted) => {
    using made = folder({ [FILE]: '{ "partitions": { "above": 1 } }', 'here/empty': '' });
    make(`${made.path}/here/${FILE}`);
    expect(() => loadConfig({}, { cwd: `${made.path}/here`, env: {} })).toThrow(wanted);
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
