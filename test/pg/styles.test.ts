import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import Cursor from 'pg-cursor';
import QueryStream from 'pg-query-stream';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { openPool, rejection } from '../support/pg.ts';

const open = () =>
  openPool({ max: 2, partitions: { order: 1, batch: 1 }, defaultPartition: 'order' });
const callback = <T>(call: (done: (error: Error | undefined | null, value?: T) => void) => void) =>
  new Promise<T | undefined>((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });

describe.each(['the pool', 'a partition'])('%s takes every call style of pg', (which) => {
  const subject = () => (which === 'the pool' ? open() : open().partition('batch'));

  test('query: text, values, config objects, arrays, named statements', async () => {
    const pool = subject();
    expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
    expect((await pool.query('select $1::int as n', [2])).rows).toEqual([{ n: 2 }]);
    expect((await pool.query({ text: 'select $1::int as n', values: [3] })).rows).toEqual([
      { n: 3 },
    ]);
    expect((await pool.query({ text: 'select 4', rowMode: 'array' })).rows).toEqual([[4]]);
    const named = { name: 'five', text: 'select $1::int as n' };
    expect((await pool.query(named, [5])).rows).toEqual([{ n: 5 }]);
    expect((await pool.query(named, [6])).rows).toEqual([{ n: 6 }]);
  });

  test('query: callbacks, with and without values, and their errors', async () => {
    const pool = subject();
    const plain = await callback<{ rows: unknown[] }>((done) => pool.query('select 1 as n', done));
    expect(plain?.rows).toEqual([{ n: 1 }]);
    const bound = await callback<{ rows: unknown[] }>((done) =>
      pool.query('select $1::int as n', [2], done),
    );
    expect(bound?.rows).toEqual([{ n: 2 }]);
    const failed = callback((done) => pool.query('select 1/0', done));
    expect(await rejection(failed)).toMatchObject({ code: '22012' });
    const misused = callback((done) => (pool.query as (fn: unknown) => void)(done));
    expect((await rejection(misused)).message).toMatch(/function as the first parameter/);
  });

  test('connect: promise, callback with client and release', async () => {
    const pool = subject();
    const client = await pool.connect();
    client.release();
    await callback<void>((done) => {
      pool.connect((error, found, release) => {
        expect(found).toBe(client);
        release();
        done(error);
      });
    });
  });

  test('submittables: cursor, query stream, copy in and out', async () => {
    const pool = subject();
    const client = await pool.connect();
    const cursor = client.query(new Cursor('select * from generate_series(1, 5) as n'));
    expect(await cursor.read(3)).toHaveLength(3);
    await cursor.close();
    const rows: unknown[] = [];
    for await (const row of client.query(new QueryStream('select generate_series(1, 300) as n'))) {
      rows.push(row);
    }
    expect(rows).toHaveLength(300);
    await client.query('create temp table copied (n int)');
    await pipeline(Readable.from(['1\n', '2\n']), client.query(copyFrom('copy copied from stdin')));
    let text = '';
    for await (const chunk of client.query(copyTo('copy copied to stdout'))) text += String(chunk);
    expect(text).toBe('1\n2\n');
    client.release();
  });
});

describe('a partition', () => {
  test('reads password and connection settings as a pool does', () => {
    const pool = openPool({ password: 'secret', max: 2, partitions: { order: 2 } });
    const { options } = pool.partition('order');
    expect(JSON.stringify({ ...options })).not.toContain('secret');
    expect(JSON.stringify({ ...pool.options })).not.toContain('secret');
    expect((options as { password?: unknown }).password).toBe('secret');
    expect((pool.physical.pool.options as { password?: unknown }).password).toBe('secret');
  });
});
