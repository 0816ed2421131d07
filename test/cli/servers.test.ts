import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';
import type { TemporaryServer } from '../../rehearsal/temporary-server.ts';
import { noStack, Sandbox, type Ended } from './cli.ts';

const { Client } = pg;

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.clear());

function expectOneLine({ code, stdout, stderr }: Ended, words: RegExp): void {
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(noStack);
  expect(stderr).not.toContain('s3cret');
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect([code, stdout]).toEqual([3, '']);
}

/** Something on a port that does to each client what the test wants. */
async function listen(onClient: (socket: Socket) => void): Promise<[string, Server]> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onClient(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [
    `postgres://shop:s3cret@127.0.0.1:${(server.address() as AddressInfo).port}/shop`,
    server,
  ];
}

/** As the server says it on the wire. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe('a server that does not let us in exits with 3 and one line', () => {
  test.each([
    ['postgres://shop:s3cret@localhost:1/shop', /localhost:1\/shop: nothing listens there/],
    ['postgres://shop:s3cret@no-such-host.invalid/shop', /this host is not known/],
    ['postgres:///shop?host=/nonexistent', /no such socket/],
  ])('%s', async (url, words) => {
    expectOneLine(await sandbox.run('rehearse', '--url', url), words);
  });

  test('and what an earlier rehearsal wrote stays, but that CI is told of it', async () => {
    const path = (name: string): string => join(sandbox.folder, name);
    const files = ['r.html', 'r.json', 'r.xml'];
    for (const name of files) writeFileSync(path(name), 'earlier');
    const args = ['--html', path('r.html'), '--json', path('r.json'), '--junit', path('r.xml')];
    const url = 'postgres://shop:s3cret@localhost:1/shop';
    const ended = await sandbox.run('rehearse', 'slow-search', '--url', url, ...args);
    expectOneLine(ended, /nothing listens there/);
    const [page, document, junit] = files.map((name) => readFileSync(path(name), 'utf8'));
    expect([page, document]).toEqual(['earlier', 'earlier']);
    expect(junit).toMatch(/tests="1" failures="0" errors="1"/);
    expect(junit).toMatch(/<testcase classname="watertight.slow-search" name="comes to a verdict"/);
    expect(junit).toMatch(/<error message="[^"]*nothing listens there/);
    expect(junit).not.toContain('s3cret');
    expect(await sandbox.leftovers()).toEqual(files);
    for (const name of files) rmSync(path(name));
  });

  test.each<[string, (socket: Socket) => void, RegExp]>([
    [
      'is starting up',
      (socket) => socket.end(errorResponse('57P03', 'the database system is starting up')),
      /is starting up or shutting down; try again/,
    ],
    ['hangs up', (socket) => socket.destroy(), /is it a PostgreSQL server/],
    [
      'speaks HTTP',
      (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      /cannot connect to/,
    ],
  ])('that %s', async (_, onClient, words) => {
    const [url, server] = await listen(onClient);
    expectOneLine(await sandbox.run('rehearse', '--url', url), words);
    server.close();
  });
});

describe('a real server', () => {
  let server: TemporaryServer;
  const sql = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  beforeAll(async () => {
    // 15 connections in all: too few for a pool of 20.
    server = await startEmbeddedPostgres({ connections: 5 });
    const folder = new URL(server.url).searchParams.get('host') ?? '';
    writeFileSync(
      join(folder, 'data', 'pg_hba.conf'),
      'local all postgres trust\nlocal all all scram-sha-256\n',
    );
    await sql("create role shop login password 's3cret' connection limit 7");
    await sql('select pg_reload_conf()');
  });
  afterAll(() => server.stop());

  const as = (user: string, password: string): string => {
    const url = new URL(server.url);
    url.searchParams.set('user', user);
    url.searchParams.set('password', password);
    return url.href;
  };

  test('refuses a wrong password', async () => {
    expectOneLine(
      await sandbox.run('rehearse', '--url', as('shop', 'not-s3cret')),
      /the password is wrong/,
    );
  });

  test('that is too small for max is told before the rehearsal starts, with its own figure', async () => {
    const junit = join(sandbox.folder, 'few.xml');
    const args = ['--url', server.url, '--junit', junit];
    const { code, stderr } = await sandbox.run('rehearse', ...args);
    expect(readFileSync(junit, 'utf8')).toMatch(
      /<error message="the rehearsal needs 20 connections/,
    );
    expect(stderr).toMatch(/needs 20 connections, the server has \d+ left .*max_connections = 15/);
    expect(stderr).not.toMatch(noStack);
    expect(code).toBe(3);
  });

  test('that limits the user to less than max is too small as well', async () => {
    const args = ['--max', '8', '--partitions', 'order=3,search=3,batch=2'];
    const { code, stderr } = await sandbox.run('rehearse', ...args, '--url', as('shop', 's3cret'));
    expect(stderr).toMatch(/needs 8 connections.*connection limit of the user = 7/);
    expect(code).toBe(3);
  });

  test('that goes away in the middle ends the rehearsal', async () => {
    const args = ['--max', '10', '--partitions', 'order=4,search=4,batch=2'];
    const junit = join(sandbox.folder, 'lost.xml');
    const { says, ended } = sandbox.start(
      ...['rehearse', ...args, '--url', server.url, '--junit', junit],
    );
    await says('calm');
    await server.stop();
    const { code, stdout, stderr } = await ended;
    expect(readFileSync(junit, 'utf8')).toMatch(/<error message="[^"]*lost in the middle/);
    expect(stderr).toMatch(/lost in the middle of the rehearsal/);
    expect(stderr).not.toMatch(noStack);
    expect([code, stdout]).toEqual([3, '']);
  });
});
