import { expect, test } from '@jest/globals';
import { parseArguments } from '../../cli/options.ts';
import { readSettings, type RehearseSettings } from '../../cli/settings.ts';
import { Complaints } from '../../cli/usage-error.ts';
import type { Environment } from '../../config/index.ts';
import { folder } from '../config/folder.ts';
import { monthEnd } from '../../scenarios/month-end.ts';

function settings(line: string, env: Environment = {}): RehearseSettings {
  const args = parseArguments(['rehearse', ...line.split(' ').filter(Boolean)]);
  const complaints = new Complaints(args.faults);
  const read = readSettings(args, complaints, env);
  complaints.throwIfAny();
  return read;
}

test('without options it is month-end at a tenth of the time on an embedded server', () => {
  expect(settings('')).toEqual({
    driver: 'pg',
    url: undefined,
    json: undefined,
    junit: undefined,
    html: undefined,
    timeScale: 0.1,
    scenario: monthEnd,
    warnings: [],
    seed: undefined,
    max: 20,
    partitions: monthEnd.partitions,
  });
});

test('sizes can be changed and keep the acquire timeouts', () => {
  expect(settings('--partitions order=6,search=6..8,batch=4').partitions).toEqual({
    order: { size: 6, acquireTimeoutMillis: 1_000 },
    search: { size: 6, max: 8, acquireTimeoutMillis: 1_000 },
    batch: { size: 4, acquireTimeoutMillis: 0 },
  });
});

test('without walls nothing is guaranteed and nothing limited', () => {
  const { partitions } = settings('--without-walls --max 24');
  expect(Object.values(partitions)).toMatchObject([
    { size: 0, max: 24 },
    { size: 0, max: 24 },
    { size: 0, max: 24 },
  ]);
});

test('a value may follow as a word or after =, and - is a value', () => {
  expect(settings('--json - --time-scale=0.2')).toMatchObject({ json: '-', timeScale: 0.2 });
});

test('the pool of a service can be rehearsed as it is configured', () => {
  using service = folder({
    'pools.json': `{ "services": { "shop": {
      "max": 24, "acquireTimeoutMillis": 500, "maxWaiting": 50,
      "partitions": { "order": 10, "search": { "size": 6, "max": 8 }, "batch": 4 }
    } } }`,
  });
  const file = `--file ${service.path}/pools.json`;
  expect(settings(`--config ${file} --service shop`)).toMatchObject({
    max: 24,
    partitions: {
      order: { size: 10, max: 10, acquireTimeoutMillis: 500, maxWaiting: 50 },
      search: { size: 6, max: 8, acquireTimeoutMillis: 500, maxWaiting: 50 },
      batch: { size: 4, max: 4, acquireTimeoutMillis: 500 },
    },
  });
  expect(settings(`${file} --without-walls`).partitions['order']).toMatchObject({
    size: 0,
    max: 24,
  });
  expect(() => settings(`${file} --max 20`)).toThrow('--max and --config exclude each other');
  expect(() => settings(`${file} --service shpo`)).toThrow(
    /no service 'shpo'; did you mean 'shop'/,
  );
});

test('variables that say something about a service are not ignored silently, also misspelt ones', () => {
  const env = {
    WATERTIGHT_PARTITIONS: 'order:8',
    WATERTIGHT_MAXX: '8',
    WATERTIGHT_MAX: '',
    WATERTIGHT_DEBUG: '1',
    WATERTIGHT_MYSQL_IMAGE: 'mysql:9',
    WATERTIGHT_MONGO_IMAGE: 'mongo:8',
    WATERTIGHT_BIN: 'x',
  };
  expect(settings('', env)).toMatchObject({
    max: 20,
    partitions: monthEnd.partitions,
    warnings: [
      'WATERTIGHT_PARTITIONS is set, and only used with --config',
      'WATERTIGHT_MAXX is set, and only used with --config',
    ],
  });
  using service = folder({ 'pools.json': '{ "partitions": { "order": 8 } }' });
  expect(settings(`--file ${service.path}/pools.json`, env).warnings).toEqual([]);
});

test('a scenario by its name brings its pool, which options override', () => {
  expect(settings('slow-search')).toMatchObject({
    scenario: { name: 'slow-search' },
    max: 20,
    partitions: { order: { size: 12, acquireTimeoutMillis: 1_000 }, search: { size: 8 } },
  });
  expect(settings('slow-search --max 30 --partitions order=14,search=6')).toMatchObject({
    scenario: { name: 'slow-search' },
    max: 30,
    partitions: { order: { size: 14, acquireTimeoutMillis: 1_000 } },
  });
  expect(settings('slow-search --without-walls').partitions['search']).toMatchObject({
    size: 0,
    max: 20,
  });
});

test('a size of the command line also says how far a partition may grow', () => {
  const wide = { ...monthEnd, partitions: { ...monthEnd.partitions, batch: { size: 2, max: 4 } } };
  using made = folder({ 'wide.json': JSON.stringify(wide) });
  const { partitions } = settings(`${made.path}/wide.json --partitions order=6,search=6,batch=8`);
  expect(partitions['batch']).toEqual({ size: 8, acquireTimeoutMillis: 2_000 });
});

test('a scenario may come from a file, and what is too much for a partition is a warning', () => {
  const [order, ...others] = monthEnd.workloads;
  const workloads = [{ ...order, ratePerSecond: 80 }, ...others];
  using made = folder({ 'mine.json': JSON.stringify({ ...monthEnd, name: 'mine', workloads }) });
  const { scenario, warnings } = settings(`${made.path}/mine.json`);
  expect(scenario.name).toBe('mine');
  expect(warnings).toEqual([
    expect.stringMatching(
      /mine\.json:1: workloads\.0: 80\/s x 150 ms need 12 connections, the size of 'order' is 8$/,
    ),
  ]);
});

test('a seed is a whole number of 32 bits', () => {
  expect(settings('--seed 4294967295').seed).toBe(4_294_967_295);
  expect(() => settings('--seed 4294967296')).toThrow(/--seed: expected a whole number from 0 to/);
  expect(() => settings('--seed -1')).toThrow(/--seed/);
});
