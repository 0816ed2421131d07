import { expect, test } from '@jest/globals';
import mysql2 from 'mysql2';
import mysql2Promise from 'mysql2/promise';
import { createPool } from '../../drivers/mysql2/index.ts';
import * as promise from '../../drivers/mysql2/promise.ts';
import type { PoolRequest, RehearseOptions } from '../../rehearsal/library/index.ts';
import { describeOn } from '../servers/describe-on.ts';
import { urlOf } from '../servers/urls.ts';
import { rejection, until } from '../support/pg.ts';
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

  test.each<[name: string, factory: (request: PoolRequest) => unknown, got: string]>([
    ['null', () => null, 'null'],
    ['a connection', ({ url }) => mysql2Promise.createConnection(url), 'an object of the class'],
    ['a partition', (request) => divided(request).partition('order'), 'one partition of a pool'],
    ['an undivided pool', stock, 'one without'],
    ['an undivided pool of promises', stockPromise, 'one without'],
  ])('is refused when createPool makes %s', async (_, factory, got) => {
    expect(await refusal(play({ createPool: factory as never }))).toContain(
      `createPool: expected a pool of watertight/mysql2, which has partitions; got ${got}`,
    );
  });

  test('is refused for a shared pool that is divided, or of another size', async () => {
    expect(await refusal(play({ createPool: divided, createSharedPool: divided }))).toBe(
      'createSharedPool: expected a pool of mysql2 without partitions; got one with partitions',
    );
    const createSharedPool = ({ url }: PoolRequest) => mysql2.createPool(url);
    expect(await refusal(play({ createPool: divided, createSharedPool }))).toBe(
      'createSharedPool: expected a pool of mysql2 of 20 connections, the max it is given, got 10',
    );
  });

  test.each([
    ['callbacks', divided],
    ['promises', dividedPromise],
  ])('is refused for the same pool of %s at each call', async (_, factory) => {
    let pool: ReturnType<typeof factory> | undefined;
    const one = (request: PoolRequest) => (pool ??= factory(request));
    expect(await refusal(play({ createPool: one }))).toMatch(
      /^createPool: expected a new pool at each call, got one that has ended; each is ended after/,
    );
  });

  test('says how many connections could be opened, and why no more', async () => {
    const admin = await mysql2Promise.createConnection(urlOf('mysql'));
    await admin.query(`drop user if exists limited@'%'`);
    await admin.query(`create user limited@'%' identified by 's3cret' with max_user_connections 5`);
    await admin.query(`grant all on *.* to limited@'%'`);
    await admin.end();
    const asLimited = (request: PoolRequest) => {
      const { href } = Object.assign(new URL(request.url), {
        username: 'limited',
        password: 's3cret',
      });
      return divided({ ...request, url: href });
    };
    const error = await rejection(play({ createPool: asLimited }));
    expect(error.code).toBe('ERR_TOO_FEW_CONNECTIONS');
    expect(error.message).toMatch(
      /^createPool: only 5 of 20 connections could be opened \(User 'limited' has exceeded/,
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
