import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { url } from '../support/mysql.ts';

const run = (program: string): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, ['-e', program], {
    cwd: join(__dirname, '../..'),
    env: { ...process.env, MYSQL_URL: url() },
    timeout: 30_000,
  });

const open = `
  const { createPool } = require('./dist/cjs/drivers/mysql2/index.js');
  const pool = createPool({ uri: process.env.MYSQL_URL, connectionLimit: 2,
    partitions: { order: 1, batch: 1 }, defaultPartition: 'order' });
  const order = pool.partition('order');
  const thrown = [];
  process.on('uncaughtException', (error) => thrown.push(error.message));
  const fail = () => { throw new Error('mistake'); };
  const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
  const report = async () => {
    while (order.available < 1) await sleep(5);
    const [rows] = await order.promise().query('select 1 as one');
    console.log(JSON.stringify([thrown, rows]));
    await pool.promise().end();
  };`;

describe('a callback that throws', () => {
  test.each([
    ['of a query', `order.query('select 1', fail)`],
    ['of a failed query', `order.query('select nonsense', fail)`],
    ['of a failed execute', `order.execute('select nonsense', fail)`],
    [
      'of getConnection',
      `order.getConnection((_, c) => { setTimeout(() => c.release(), 20); fail(); })`,
    ],
    [
      'of getConnection in line',
      `order.getConnection((_, held) => {
      order.getConnection((_, c) => { setTimeout(() => c.release(), 20); fail(); });
      held.release(); })`,
    ],
    ['of an event', `order.once('acquire', fail); order.query('select 1', () => {})`],
  ])('%s is an uncaught exception, and no connection is lost by it', async (_, call) => {
    const { stdout } = await run(`${open} ${call}; setTimeout(report, 100);`);
    expect(stdout).toBe('[["mistake"],[{"one":1}]]\n');
  });
});

describe('a process', () => {
  test('ends by itself after end(), also when maxIdle and idle timers are in play', async () => {
    const program = open.replace('connectionLimit: 2,', 'connectionLimit: 2, maxIdle: 1,');
    const { stdout } = await run(`${program} report().then(() =>
      console.log(process.getActiveResourcesInfo().join()));`);
    expect(stdout).not.toMatch(/Timeout|TCP.*Socket/);
  });

  test('survives the loss of an idle connection', async () => {
    const { stdout } = await run(`${open}
      (async () => {
        const victim = await order.promise().getConnection();
        const id = victim.threadId;
        victim.release();
        await pool.partition('batch').promise().query('kill ' + id).catch(() => {});
        await sleep(50);
        await report();
      })()`);
    expect(stdout).toBe('[[],[{"one":1}]]\n');
  });

  test('is told nothing of options that are ours', async () => {
    const { stderr } = await run(`${open} report();`);
    expect(stderr).toBe('');
  });

  test('that never releases a connection is warned of it at its end, and ends', async () => {
    const { stderr, stdout } = await run(`${open}
      order.getConnection((_, c) => pool.end({ timeoutMillis: 50 }, () => console.log('ended')));`);
    expect(stdout).toBe('ended\n');
    expect(stderr).toContain('WATERTIGHT_LEAKED_CONNECTIONS');
    expect(stderr).toMatch(/threadId/);
  });
});
