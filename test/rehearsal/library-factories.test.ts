/** What `createPool` and `createSharedPool` can do wrong, and what their user is told. */
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { Pool } from '../../drivers/pg/index.ts';
import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';
import type { PoolRequest, RehearseOptions } from '../../rehearsal/library/index.ts';
import { playShort } from '../incident/short.ts';
import { openStockPool, rejection, until, url } from '../support/pg.ts';

type Factory = (request: PoolRequest) => unknown;

const partitions = { order: 8, search: 8, batch: 4 };
const divided = ({ url: connectionString, max }: PoolRequest): Pool =>
  new Pool({ connectionString, max, partitions });
const stock = ({ url: connectionString, max }: PoolRequest): pg.Pool =>
  new pg.Pool({ connectionString, max });

/** What a rehearsal with these factories is told; no connection of it is left. */
async function told(
  createPool: Factory,
  createSharedPool?: Factory,
): Promise<Error & { code?: string }> {
  const factories = { createPool, createSharedPool } as Partial<RehearseOptions>;
  const error = await rejection(playShort({ url: url(), ...factories }));
  const server = openStockPool({ max: 1 });
  const sql = `select from pg_stat_activity where application_name like 'watertight %'`;
  await until(async () => (await server.query(sql)).rowCount === 0);
  return error;
}

async function refusal(createPool: Factory, createSharedPool?: Factory): Promise<string> {
  const { code, message } = await told(createPool, createSharedPool);
  expect(code).toBe('ERR_REHEARSAL_OPTION');
  return message;
}

/** The same pool at each call. */
function one<P>(factory: (request: PoolRequest) => P): (request: PoolRequest) => P {
  let made: P | undefined;
  return (request) => (made ??= factory(request));
}

async function ended<P extends { end(): Promise<void> }>(pool: P): Promise<P> {
  await pool.end();
  return pool;
}

const clientOf = async ({ url: connectionString }: PoolRequest): Promise<pg.Client> => {
  const client = new pg.Client(connectionString);
  await client.connect();
  return client;
};

describe('a factory that makes something else is told what was expected, and what came', () => {
  test.each<[name: string, factory: Factory, got: string]>([
    ['nothing', () => undefined, 'undefined'],
    ['null', () => null, 'null'],
    ['text', () => 'pool', 'a string'],
    ['a client', clientOf, 'an object of the class Client'],
    ['a partition', (request) => divided(request).partition('order'), 'one partition of a pool'],
    ['an undivided pool', stock, 'one without'],
    ['a plain pool', ({ url: connectionString }) => new Pool({ connectionString }), 'one without'],
  ])('createPool: %s', async (_, factory, got) => {
    expect(await refusal(factory)).toBe(
      `createPool: expected a Pool of watertight/pg, which has partitions; got ${got}`,
    );
  });

  test.each<[name: string, factory: Factory, got: string]>([
    ['nothing', () => undefined, 'undefined'],
    ['a client', clientOf, 'an object of the class Client'],
    ['a partition', (request) => divided(request).partition('order'), 'one partition of a pool'],
    ['a divided pool', divided, 'one with partitions'],
  ])('createSharedPool: %s', async (_, factory, got) => {
    expect(await refusal(divided, factory)).toBe(
      `createSharedPool: expected a pg.Pool without partitions; got ${got}`,
    );
  });
});

describe('a pool that cannot be rehearsed', () => {
  const hasEnded =
    'expected a new pool at each call, got one that has ended; ' +
    'each is ended after its run, so it is to be made inside the function';

  test('has ended: it was made at an earlier call, or its maker has ended it', async () => {
    expect(await refusal(one(divided))).toBe(`createPool: ${hasEnded}`);
    expect(await refusal((request) => ended(divided(request)))).toBe(`createPool: ${hasEnded}`);
    const shared: Factory = (request) => ended(stock(request));
    expect(await refusal(divided, shared)).toBe(`createSharedPool: ${hasEnded}`);
  });

  test('is divided in another way than at first', async () => {
    let made = 0;
    const changing: Factory = (request) =>
      divided({ ...request, max: made++ === 0 ? request.max : request.max + 1 });
    expect(await refusal(changing)).toBe(
      'createPool: expected the same pool at each call, at first 20 connections, batch 4, ' +
        'order 8, search 8, got 21 connections, batch 4, order 8, search 8',
    );
  });

  test('of the shared run has another size', async () => {
    expect(await refusal(divided, (request) => stock({ ...request, max: 10 }))).toBe(
      'createSharedPool: expected a pg.Pool of 20 connections, the max it is given, got 10',
    );
  });

  test.each<[option: string, Factory, Factory?]>([
    ['createPool', (request) => divided({ ...request, url: url() })],
    ['createSharedPool', divided, (request) => stock({ ...request, url: url() })],
  ])('connects without the label: %s', async (option, ...factories) => {
    expect(await refusal(...factories)).toMatch(
      new RegExp(`^${option}: expected a pool that connects with the url it is given, whose appl`),
    );
  });

  test('connects to another server, which the count cannot see', async () => {
    const server = await startEmbeddedPostgres({ connections: 30 });
    const elsewhere = (request: PoolRequest): PoolRequest => {
      const other = new URL(server.url);
      const label = new URL(request.url).searchParams.get('application_name') ?? '';
      other.searchParams.set('application_name', label);
      return { ...request, url: other.href };
    };
    try {
      const expected =
        'expected a pool that connects with the url it is given; ' +
        'the server of that url sees none of its connections, so they are to another one';
      expect(await refusal((request) => divided(elsewhere(request)))).toBe(
        `createPool: ${expected}`,
      );
      expect(await refusal(divided, (request) => stock(elsewhere(request)))).toBe(
        `createSharedPool: ${expected}`,
      );
    } finally {
      await server.stop();
    }
  });

  test('cannot connect: the server of the pool is told apart from that of the url', async () => {
    const nowhere: Factory = ({ max }) =>
      divided({ url: 'postgres://u:s3cret@127.0.0.1:1/shop', max });
    const { code, message } = await told(nowhere);
    expect(code).toBe('ERR_CANNOT_CONNECT');
    expect(message).toMatch(/^cannot connect to the server of createPool: nothing listens there/);
    expect(message).not.toContain('s3cret');
  });

  test('can open only some of its connections', async () => {
    const admin = openStockPool({ max: 1 });
    await admin.query('drop role if exists limited');
    await admin.query(`create role limited login password 's3cret' connection limit 5`);
    const asLimited = (request: PoolRequest): PoolRequest => {
      const limited = new URL(request.url);
      limited.searchParams.set('user', 'limited');
      limited.searchParams.set('password', 's3cret');
      return { ...request, url: limited.href };
    };
    for (const [option, error] of [
      ['createPool', await told((request) => divided(asLimited(request)))],
      ['createSharedPool', await told(divided, (request) => stock(asLimited(request)))],
    ] as const) {
      expect(error.code).toBe('ERR_TOO_FEW_CONNECTIONS');
      expect(error.message).toMatch(
        `${option}: only 5 of 20 connections could be opened (too many connections for role "limited")`,
      );
    }
  });
});

test('what a factory throws, at whichever call, is told as it is', async () => {
  const fault = new Error('no secret in the vault');
  let made = 0;
  const failing: Factory = (request) => (made++ === 0 ? divided(request) : Promise.reject(fault));
  expect(await told(() => Promise.reject(fault))).toBe(fault);
  expect(await told(failing)).toBe(fault);
  const throwing: Factory = () => {
    throw fault;
  };
  expect(await told(divided, throwing)).toBe(fault);
});
