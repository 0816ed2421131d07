import { relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../config/index.ts';
import { Partitioner } from '../../src/index.ts';
import { folder } from './folder.ts';
import { FILE, loaded, shop } from './loaded.ts';

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
    using made = folder({ [FILE]: '{ "partitions": { "above": 1 } }', 'a/b/empty': '' });
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
