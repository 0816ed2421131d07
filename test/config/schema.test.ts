import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { loadConfig } from '../../config/index.ts';
import { folder } from './folder.ts';

const schema = JSON.parse(readFileSync('schema/watertight.config.schema.json', 'utf8')) as object;
const accepts = new Ajv({ strict: false }).compile(schema);

/** Whether the loader takes it for the service `one`. */
function loads(config: unknown): boolean {
  const made = folder({ 'watertight.config.json': JSON.stringify(config) });
  try {
    loadConfig({}, { cwd: made.path, env: {}, service: 'one' });
    return true;
  } catch {
    return false;
  } finally {
    made[Symbol.dispose]();
  }
}

const order = { partitions: { order: 8 } };

describe('the schema agrees with what is loaded', () => {
  test.each([
    order,
    { $schema: './schema.json', ...order, max: 20, defaultPartition: 'order', maxWaiting: 0 },
    { services: { one: order } },
    { acquireTimeoutMillis: 500, services: { one: { ...order, maxWaiting: 'Infinity' } } },
    { partitions: { order: { size: 2, max: 4, acquireTimeoutMillis: 0, maxWaiting: 5 } }, max: 8 },
  ])('on what is right: %j', (config) => {
    expect([accepts(config), loads(config)]).toEqual([true, true]);
  });

  test.each([
    [],
    { ...order, maxx: 20 },
    { ...order, max: 0 },
    { ...order, max: '20' },
    { ...order, acquireTimeoutMillis: 60_000 },
    { ...order, maxWaiting: -1 },
    { partitions: { order: 1.5 } },
    { partitions: { order: { sise: 8 } } },
    { partitions: { 'a,b': 8 } },
    { partitions: [8] },
    { services: { one: { ...order, services: {} } } },
    { services: [order] },
  ])('on what is wrong: %j', (config) => {
    expect([accepts(config), loads(config)]).toEqual([false, false]);
  });
});
