import { describe, expect, jest, test } from '@jest/globals';
import { openPool, openStockPool, rejection, until } from '../support/pg.ts';

const partitions = { order: 1, batch: 1 };

describe('end', () => {
  test('refuses those who wait, waits for those who hold', async () => {
    const pool = openPool({ max: 2, partitions });
    const order = pool.partition('order');
    const held = await order.connect();
    const waiting = rejection(order.query('select 1'));
    let ended = false;
    const end = pool.end().then(() => (ended = true));
    expect(await waiting).toMatchObject({
      code: 'ERR_PARTITION_CLOSED',
      message: expect.stringMatching(/^Cannot use a pool after calling end on the pool/),
    });
    await held.query('select 1');
    expect(ended).toBe(false);
    held.release();
    await end;
    expect([pool.ended, order.ended, pool.totalCount]).toEqual([true, true, 0]);
  });

  test('with drain serves those who wait and takes nobody new', async () => {
    const pool = openPool({ max: 2, partitions });
    const order = pool.partition('order');
    const held = await order.connect();
    const waiting = order.query('select 1 as one');
    const end = pool.end({ drain: true });
    await Promise.resolve();
    expect(await rejection(order.connect())).toMatchObject({ code: 'ERR_PARTITION_CLOSED' });
    held.release();
    expect((await waiting).rows).toEqual([{ one: 1 }]);
    await end;
  });

  test('settles when every socket is gone, not before', async () => {
    const pool = openPool({ max: 2, partitions, application_name: 'ended' });
    const sockets: { destroyed: boolean }[] = [];
    pool.on('connect', (client) => sockets.push(client.connection.stream as never));
    await Promise.all([
      pool.partition('order').query('select 1'),
      pool.partition('batch').query(''),
    ]);
    await pool.end();
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    const observer = openStockPool({ max: 1 });
    await until(async () => {
      const text = "select from pg_stat_activity where application_name = 'ended'";
      return (await observer.query(text)).rowCount === 0;
    });
  });

  test('of one partition leaves the others at work; the last one ends the physical pool', async () => {
    const pool = openPool({ max: 2, partitions });
    await pool.partition('order').query('select 1');
    await pool.partition('order').end();
    expect(await rejection(pool.partition('order').connect())).toMatchObject({
      code: 'ERR_PARTITION_CLOSED',
      partition: 'order',
    });
    await pool.partition('batch').query('select 1');
    expect(pool.physical.pool.ended).toBe(false);
    await pool.partition('batch').end();
    expect(pool.physical.pool.ended).toBe(true);
    await pool.end();
  });

  test('closes connections that were never released after timeoutMillis, and says whose', async () => {
    const pool = openPool({ max: 2, partitions });
    const leaked = await pool.partition('order').connect({ label: 'leaky route' });
    await leaked.query('begin');
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await pool.end({ timeoutMillis: 50 });
    expect(pool.totalCount).toBe(0);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('leaky route'), {
      code: 'WATERTIGHT_LEAKED_CONNECTIONS',
    });
    warn.mockRestore();
    expect(await rejection(leaked.query('select 1'))).toBeInstanceOf(Error);
    leaked.release();
  });

  test('twice is an error, in both call styles', async () => {
    const pool = openPool({ max: 2, partitions });
    await pool.end();
    expect((await rejection(pool.end())).message).toBe('Called end on pool more than once');
    const error = await new Promise((resolve) => pool.end(resolve));
    expect(error).toMatchObject({ message: 'Called end on pool more than once' });
  });

  test('refuses a timeout that makes no sense and goes on working', async () => {
    const pool = openPool({ max: 2, partitions });
    expect(await rejection(pool.end({ timeoutMillis: -1 }))).toMatchObject({ code: 'ERR_CONFIG' });
    await pool.partition('order').query('select 1');
    expect(pool.ending).toBe(false);
  });

  test('comes with `await using`', async () => {
    const pool = openPool({ max: 2, partitions });
    await pool.partition('order').query('select 1');
    await pool[Symbol.asyncDispose]();
    expect(pool.ended).toBe(true);
    await pool[Symbol.asyncDispose]();
  });

  test('that is under way is joined by `await using`', async () => {
    const pool = openPool({ max: 2, partitions });
    const held = await pool.partition('order').connect();
    void pool.end();
    await Promise.resolve();
    let disposed = false;
    const dispose = pool[Symbol.asyncDispose]().then(() => (disposed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(disposed).toBe(false);
    held.release();
    await dispose;
  });

  test('does not wait long for a query that somebody gave up', async () => {
    const pool = openPool({ max: 2, partitions, query_timeout: 50 });
    await rejection(pool.partition('order').query('select pg_sleep(30)'));
    const client = await pool.partition('batch').connect();
    await rejection(client.query('select pg_sleep(30)'));
    client.release();
    await pool.end();
    expect(pool.totalCount).toBe(0);
  });
});
