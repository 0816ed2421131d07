import { expect, test } from '@jest/globals';
import { parseArguments } from '../../cli/options.ts';
import { readSettings, type RehearseSettings } from '../../cli/settings.ts';
import { folder } from '../config/folder.ts';
import { monthEndPartitions } from '../../rehearsal/month-end.ts';

const settings = (line: string): RehearseSettings =>
  readSettings(parseArguments(['rehearse', ...line.split(' ').filter(Boolean)]));

test('without options it is month-end at a tenth of the time on an embedded server', () => {
  expect(settings('')).toEqual({
    url: undefined,
    json: undefined,
    html: undefined,
    timeScale: 0.1,
    max: 20,
    partitions: monthEndPartitions,
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
      "max": 24, "acquireTimeoutMillis": 500,
      "partitions": { "order": 10, "search": { "size": 6, "max": 8 }, "batch": 4 }
    } } }`,
  });
  const file = `--file ${service.path}/pools.json`;
  expect(settings(`--config ${file} --service shop`)).toMatchObject({
    max: 24,
    partitions: {
      order: { size: 10, max: 10, acquireTimeoutMillis: 500 },
      search: { size: 6, max: 8, acquireTimeoutMillis: 500 },
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
