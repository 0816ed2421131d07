import { describe, expect, test } from '@jest/globals';
import {
  connect,
  makeUser,
  openMysqlProxy,
  openPool,
  openPromisePool,
  rejection,
  rows,
  sleep,
  until,
} from '../support/mysql.ts';

const order = { size: 1, acquireTimeoutMillis: 100 };

describe('a connection that takes longer than its caller may wait', () => {
  test('keeps its permit, serves the next waiter and is never delivered late', async () => {
    const { proxy, through } = await openMysqlProxy();
    proxy.delayMillis = 300;
    const pool = openPromisePool({ ...through, connectionLimit: 1, partitions: { order } });
    const partition = pool.partition('order');
    const first = await rejection(partition.getConnection());
    expect(first).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', step: 'connecting', inUse: 1 });
    const connection = await partition.getConnection({ acquireTimeoutMillis: 2000 });
    expect(proxy.accepted).toBe(1);
    expect(partition.stats().gauges.inUse).toBe(1);
    connection.release();
  });

  test('becomes idle when nobody waits for it any more', async () => {
    const { proxy, through } = await openMysqlProxy();
    proxy.delayMillis = 200;
    const pool = openPool({ ...through, connectionLimit: 1, partitions: { order } });
    const partition = pool.partition('order');
    await rejection(connect(partition));
    expect(partition.available).toBe(0);
    await until(() => partition.available === 1);
    expect(pool.physical.pool._freeConnections.length).toBe(1);
    await rows(partition, 'select 1');
    expect(proxy.accepted).toBe(1);
  });

  test('gives its permit up in the end when the server never answers', async () => {
    const { proxy, through } = await openMysqlProxy();
    proxy.silent = true;
    const pool = openPool({
      ...through,
      acquireTimeoutMillis: 100,
      connectTimeout: 200,
      partitions: { order: 1 },
    });
    const partition = pool.partition('order');
    expect(await rejection(rows(partition, 'select 1'))).toMatchObject({ step: 'connecting' });
    expect(partition.isFull).toBe(true);
    await until(() => !partition.isFull);
    proxy.silent = false;
    expect(await rows(partition, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('may be aborted, and is kept for others', async () => {
    const { proxy, through } = await openMysqlProxy();
    proxy.delayMillis = 200;
    const pool = openPromisePool({ ...through, connectionLimit: 1, partitions: { order: 1 } });
    const partition = pool.partition('order');
    const controller = new AbortController();
    const aborted = rejection(partition.getConnection({ signal: controller.signal }));
    controller.abort();
    expect(await aborted).toMatchObject({ code: 'ERR_ACQUIRE_ABORTED', step: 'connecting' });
    await partition.query('select 1');
    expect(proxy.accepted).toBe(1);
  });
});

describe('a deadline', () => {
  test('is one, and is not armed again by connections that come and go before it', async () => {
    const pool = openPool({
      connectionLimit: 1,
      partitions: { order: { size: 1, acquireTimeoutMillis: 400 } },
    });
    const partition = pool.partition('order');
    const held = await connect(partition);
    const log: string[] = [];
    const startedAt = performance.now();
    const waiting = rejection(connect(partition)).then(() => log.push('waiter'));
    // Others come later: they neither overtake nor move the deadline.
    const later = [1, 2].map((n) =>
      partition.withConnection(() => log.push(`later ${n}`), { acquireTimeoutMillis: 3000 }),
    );
    await sleep(600);
    held.destroy();
    await Promise.all([waiting, ...later]);
    expect(log).toEqual(['waiter', 'later 1', 'later 2']);
    expect((performance.now() - startedAt) / 600).toBeLessThan(2);
  });

  test('covers the reset of a session on a server that has fallen silent', async () => {
    const { proxy, through } = await openMysqlProxy();
    const pool = openPool({
      ...through,
      acquireTimeoutMillis: 200,
      connectTimeout: 200,
      max: 1,
      partitions: { order: { size: 0, max: 1 }, batch: { size: 0, max: 1 } },
    });
    await rows(pool.partition('batch'), 'select 1');
    proxy.freeze();
    const error = await rejection(connect(pool.partition('order')));
    expect(error).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', step: 'connecting' });
    await until(() => pool.partition('order').available === 1);
    proxy.cut();
    expect(await rows(pool.partition('order'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a server that refuses', () => {
  test("a wrong password is mysql2's error, and gives the permit back", async () => {
    const pool = openPool({
      user: 'shop',
      password: 'a secret',
      connectionLimit: 1,
      partitions: { order },
    });
    const partition = pool.partition('order');
    const error = await rejection(rows(partition, 'select 1'));
    expect(error.code).toBe('ER_ACCESS_DENIED_ERROR');
    expect(JSON.stringify(error) + error.message).not.toContain('a secret');
    expect(partition.available).toBe(1);
    expect(partition.stats().counters).toMatchObject({ failed: 1, granted: 0 });
  });

  test('an unreachable one fails each waiter in turn, and none is left', async () => {
    const pool = openPool({
      host: '127.0.0.1',
      port: 1,
      connectionLimit: 2,
      partitions: { order: 2 },
    });
    const errors = await Promise.all(
      Array.from({ length: 20 }, () => rejection(rows(pool.partition('order'), 'select 1'))),
    );
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['ECONNREFUSED']));
    expect(pool.partition('order').stats().gauges).toMatchObject({ inUse: 0, waiting: 0 });
  });

  test('a connection that cannot even be made is an error like any other', async () => {
    const pool = openPool({
      stream: () => {
        throw new Error('no such certificate');
      },
      connectionLimit: 1,
      partitions: { order },
    });
    expect((await rejection(rows(pool.partition('order'), 'select 1'))).message).toBe(
      'no such certificate',
    );
    expect(pool.partition('order').available).toBe(1);
  });
});

describe('connections that are being closed', () => {
  test('count: the server never sees more than connectionLimit', async () => {
    const { login, count } = await makeUser('closing');
    const pool = openPromisePool({
      ...login,
      connectionLimit: 2,
      partitions: { order: { size: 2, maxWaiting: 200 } },
    });
    let running = true;
    let peak = 0;
    const watch = (async () => {
      while (running) peak = Math.max(peak, await count());
    })();
    await Promise.all(
      Array.from({ length: 60 }, () =>
        pool.partition('order').withConnection(async (connection) => {
          await connection.query('select 1');
          connection.destroy();
        }),
      ),
    );
    running = false;
    await watch;
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThanOrEqual(2);
    await until(() => pool.partition('order').available === 2);
  });

  test('that hang are destroyed, so that their place is not lost', async () => {
    const { proxy, through } = await openMysqlProxy();
    const pool = openPool({ ...through, connectionLimit: 1, partitions: { order: 1 } });
    const partition = pool.partition('order');
    const connection = await connect(partition);
    proxy.freeze();
    connection.destroy();
    expect(partition.isFull).toBe(true);
    expect(await rows(partition, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a network that is cut', () => {
  test('loses no permit of leased, idle and waiting callers', async () => {
    const { proxy, through } = await openMysqlProxy();
    const pool = openPool({ ...through, connectionLimit: 4, partitions: { order: 2, batch: 2 } });
    const [first, batch] = [pool.partition('order'), pool.partition('batch')];
    const held = await Promise.all([connect(first), connect(first), connect(batch)]);
    await rows(batch, 'select 1');
    const waiting = rows(first, 'select 1 as one');
    proxy.cut();
    expect(await waiting).toEqual([{ one: 1 }]);
    held.forEach((connection) => connection.release());
    await until(() => first.available === 2 && batch.available === 2);
    await Promise.all([rows(first, 'select 1'), rows(batch, 'select 1')]);
  });
});
