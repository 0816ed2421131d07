import { expect, test } from '@jest/globals';
import mysql2 from 'mysql2';
import mysql2Promise from 'mysql2/promise';
import { createPool } from '../../drivers/mysql2/index.ts';
import * as promise from '../../drivers/mysql2/promise.ts';
import type { PoolRequest, RehearseOptions } from '../../rehearsal/library/index.ts';
import { describeOn } from '../servers/describe-on.ts';
import { urlOf } from '../servers/urls.ts';
import { until } from '../support/pg.ts';
import { partitions, playShort, refusal } from './short.ts';

const divided = ({ url, max }: PoolRequest) =>
  createPool({ uri: url, connectionLimit: max, partitions });
const dividedPromise = ({ url, max }: PoolRequest) =>
  promise.createPool({ uri: url, connectionLimit: max, partitions });
const stock = ({ url, max }: PoolRequest) => mysql2.createPool({ uri: url, connectionLimit: max });
const stockPromise = ({ url, max }: PoolRequest) =>
  mysql2Promise.createPool({ uri: url, connectionLimit: max });

describeOn('mysql')('a rehearsal of a pool of mysql2', () => {
  const play = (options: Partial<RehearseOptions>) =>
    playShort({ driver: 'mysql2', url: urlOf('mysql'), ...options });

  test.each([
    ['callbacks', divided, stock],
    ['promises', dividedPromise, stockPromise],
  ])(
    'with %s plays it, ends each pool, and leaves nothing behind',
    async (_, mine, shared) => {
      const result = await play({ createPool: mine, createSharedPool: shared });
      expect(result).toMatchObject({ driver: 'mysql2', max: 20 });
      expect(result.runs.map(({ serverPeak }) => serverPeak)).toEqual([20, 20, 20]);
      expect(result.partition('order')).toMatchObject({ offered: 200, failed: 0 });
      expect(result.partition('batch').served).toBeGreaterThan(0);
      const admin = await mysql2Promise.createConnection(urlOf('mysql'));
      const sql = `select 1 from performance_schema.session_connect_attrs
      where attr_name = 'program_name' and attr_value like 'watertight %'`;
      await until(async () => ((await admin.query(sql))[0] as unknown[]).length === 0);
      await admin.end();
    },
    60_000,
  );

  test('is refused for a pool that is not divided, or of another size', async () => {
    expect(await refusal(play({ createPool: stock as never }))).toBe(
      'createPool: expected a pool of watertight/mysql2, which has partitions',
    );
    const createSharedPool = ({ url }: PoolRequest) => mysql2.createPool(url);
    expect(await refusal(play({ createPool: divided, createSharedPool }))).toBe(
      'createSharedPool: expected a pool of mysql2 with 20 connections, the max it is given, got 10',
    );
  });

  test.each(['createPool', 'createSharedPool'] as const)(
    'is refused when %s connects with another url',
    async (option) => {
      const make = option === 'createPool' ? dividedPromise : stockPromise;
      const other = (request: PoolRequest) => make({ ...request, url: urlOf('mysql') });
      expect(await refusal(play({ createPool: divided, [option]: other }))).toMatch(
        new RegExp(`^${option}: expected a pool that connects with the url it is given`),
      );
    },
  );
});
