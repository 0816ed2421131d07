import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  lstatSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { findNativeFolder } from '../../rehearsal/embedded/binaries.ts';
import { unprivilegedAccount } from '../../rehearsal/embedded/account.ts';
import { Guard } from '../../rehearsal/embedded/guard.ts';
import { usableNativeFolder } from '../../rehearsal/embedded/native.ts';
import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';

const { Client } = pg;

/** Everything of these tests is put here, so that what is left behind can be seen. */
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wt-'));
  chmodSync(root, 0o755);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Command lines of processes that have to do with our folder. */
async function processes(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line.includes(root));
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

describe('the embedded server', () => {
  test('accepts the connections asked for, listens on no address, and is gone after stop', async () => {
    const server = await startEmbeddedPostgres({ connections: 21, within: root });
    expect(Number(await ask(server.url, 'show max_connections'))).toBeGreaterThanOrEqual(21);
    expect(await ask(server.url, 'show listen_addresses')).toBe('');
    expect(await processes()).not.toEqual([]);
    await server.stop();
    expect([readdirSync(root), await processes()]).toEqual([[], []]);
  });

  test('can be stopped twice and while clients are connected', async () => {
    const server = await startEmbeddedPostgres({ connections: 3, within: root });
    const client = new Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    const query = client.query('select pg_sleep(60)').catch(() => 'cut off');
    await server.stop();
    await server.stop();
    expect(await query).toBe('cut off');
    expect([readdirSync(root), await processes()]).toEqual([[], []]);
  });

  test.each([0, 40, 150, 300, 450])(
    'aborted %p ms into its start leaves nothing',
    async (millis) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new Error('enough')), millis);
      const started = startEmbeddedPostgres({ connections: 3, signal: abort.signal, within: root });
      await expect(started).rejects.toThrow('enough');
      expect([readdirSync(root), await processes()]).toEqual([[], []]);
    },
  );

  test('does not mind what is set for another server in the environment', async () => {
    Object.assign(process.env, { PGPORT: '1', PGDATA: '/nonexistent', PGSSLMODE: 'require' });
    try {
      const server = await startEmbeddedPostgres({ connections: 3, within: root });
      expect(await ask(server.url, 'select 1')).toBe(1);
      await server.stop();
    } finally {
      for (const name of ['PGPORT', 'PGDATA', 'PGSSLMODE']) delete process.env[name];
    }
  });
});

describe('the guard', () => {
  test('removes a folder without a server', async () => {
    const folder = mkdtempSync(join(root, 'watertight-'));
    await new Guard(folder).clear();
    expect(existsSync(folder)).toBe(false);
  });
});

describe('the binaries', () => {
  test('are copied and their libraries named when the installed ones do not start', async () => {
    const account = await unprivilegedAccount();
    // As npm leaves them when it does not run install scripts: no library has its short name.
    const broken = join(root, 'installed', 'native');
    cpSync(findNativeFolder(), broken, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !lstatSync(file).isSymbolicLink(),
    });
    const temporary = join(root, 'temporary');
    const usable = await usableNativeFolder(broken, temporary, account);
    expect(usable).toBe(join(temporary, 'native'));
    expect(existsSync(join(broken, 'lib', 'libicuuc.so.60'))).toBe(false);
  });

  test('that cannot be started at all are named with the reason', async () => {
    const account = await unprivilegedAccount();
    const empty = join(root, 'installed', 'native');
    cpSync(join(findNativeFolder(), 'share', 'postgresql', 'extension'), join(empty, 'bin'), {
      recursive: true,
    });
    await expect(usableNativeFolder(empty, join(root, 'temporary'), account)).rejects.toThrow(
      /does not start on this machine: .*ENOENT.*give the URL of a server/,
    );
  });
});
