import { describe, expect, jest, test } from '@jest/globals';
import {
  connect,
  makeUser,
  openPool,
  openPromisePool,
  rejection,
  rows,
  sleep,
  until,
} from '../support/mysql.ts';

const partitions = { order: 1, batch: 1 };
const both = { connectionLimit: 2, partitions, defaultPartition: 'order' } as const;

describe('end of a pool', () => {
  test("refuses those in line in mysql2's words, and closes every connection", async () => {
    const { login, count } = await makeUser('ending');
    const pool = openPromisePool({ ...both, ...login });
    const order = pool.partition('order');
    const held = await order.getConnection();
    await pool.partition('batch').query('select 1');
    expect(await count()).toBe(2);
    const waiting = rejection(order.query('select 1'));
    const ended = pool.end();
    expect(await waiting).toMatchObject({
      message: 'Pool is closed.',
      code: 'ERR_PARTITION_CLOSED',
      partition: 'order',
    });
    expect(await rejection(order.query('select 1'))).toMatchObject({ message: 'Pool is closed.' });
    held.release();
    await ended;
    await until(async () => (await count()) === 0);
  });

  test('serves those in line with { drain: true }', async () => {
    const pool = openPromisePool(both);
    const held = await pool.getConnection();
    const waiting = pool.query('select 1 as one');
    const ended = pool.end({ drain: true });
    held.release();
    expect((await waiting)[0]).toEqual([{ one: 1 }]);
    await ended;
  });

  test('may be asked for again, by either face: each is told when all is done', async () => {
    const pool = openPool(both);
    await rows(pool, 'select 1');
    const log: string[] = [];
    pool.end(() => log.push('first'));
    await new Promise<void>((resolve) =>
      pool.end(() => {
        log.push('second');
        resolve();
      }),
    );
    await pool.promise().end();
    await pool.partition('batch').promise().end();
    pool.end();
    expect(log).toEqual(['first', 'second']);
  });

  test('closes what was never released when its time is over, and says who held it', async () => {
    const pool = openPromisePool(both);
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const held = await pool.getConnection({ label: 'forgotten' });
    const running = rejection(held.query('select sleep(5)'));
    await sleep(20);
    await pool.end({ timeoutMillis: 50 });
    expect((await running).message).toBe('the pool has ended');
    expect(warn.mock.calls[0]?.[0]).toMatch(/partition 'order': 1 connections.*forgotten/);
    warn.mockRestore();
  });

  test('refuses options that make no sense', async () => {
    const pool = openPromisePool(both);
    expect(await rejection(pool.end({ timeoutMillis: -1 }))).toMatchObject({ code: 'ERR_CONFIG' });
    expect(() => openPool(both).end({ timeoutMillis: NaN })).toThrow('timeoutMillis');
  });

  test('comes with the end of its `await using` block', async () => {
    const pool = openPromisePool(both);
    await pool.query('select 1');
    await pool[Symbol.asyncDispose]();
    expect(await rejection(pool.query('select 1'))).toMatchObject({ message: 'Pool is closed.' });
  });
});

describe('end of a partition', () => {
  test('ends that one only; the last one ends the physical pool', async () => {
    const pool = openPool(both);
    const [order, batch] = [pool.partition('order'), pool.partition('batch')];
    await rows(order, 'select 1');
    await order.promise().end();
    expect(await rejection(connect(order))).toMatchObject({ message: 'Pool is closed.' });
    expect(await rows(batch, 'select 1 as one')).toEqual([{ one: 1 }]);
    await batch.promise().end();
    expect(pool.physical.pool._closed).toBe(true);
  });
});
