/**
 * A PostgreSQL for the length of one rehearsal: in a temporary folder, reachable only through a
 * socket in that folder, gone afterwards.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError, RehearsalError } from '../errors.ts';
import type { ServerOptions } from '../subject.ts';
import type { TemporaryServer } from '../temporary-server.ts';
import { unprivilegedAccount, type Account } from './account.ts';
import { findNativeFolder } from './binaries.ts';
import { Guard } from './guard.ts';
import { usableNativeFolder } from './native.ts';

export interface EmbeddedServerOptions extends ServerOptions {
  /** Where its folder is made. @defaultValue the temporary folder of the system */
  readonly within?: string;
  /**
   * Listens on this port of the loopback address, too, where every user of the machine gets in
   * without a password. Meant for measuring.
   */
  readonly loopbackPort?: number;
}

const startTimeoutMillis = 30_000;
const spareConnections = 10;
/** Part of the name of the socket; nobody listens on it unless told to. */
const usualPort = 5432;

/** Kernel limit for the path of a socket: 103 characters on macOS, 107 on Linux. */
const longestSocketPath = 103;

/** @throws `ERR_NO_SERVER`, or the signal's reason; nothing is left behind then. */
export async function startEmbeddedPostgres({
  connections,
  signal,
  within = tmpdir(),
  loopbackPort,
}: EmbeddedServerOptions): Promise<TemporaryServer> {
  const installed = findNativeFolder();
  const account = await unprivilegedAccount();
  const folder = await makeFolder(within, account);
  const guard = new Guard(folder);
  try {
    const native = await usableNativeFolder(installed, folder, account);
    signal?.throwIfAborted();
    const place = { native, folder, account };
    await initialise(place, signal);
    await start(place, settingsFor(folder, connections, loopbackPort), signal);
  } catch (error) {
    await guard.clear();
    throw error;
  }
  return { url: urlOf(folder, loopbackPort), stop: () => guard.clear() };
}

interface Place {
  readonly native: string;
  readonly folder: string;
  readonly account: Account;
}

/** Owned by the server's account, closed to everybody else. */
async function makeFolder(within: string, { uid, gid }: Account): Promise<string> {
  const folder = await mkdtemp(join(shortEnough(within), 'watertight-'));
  try {
    if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function shortEnough(within: string): string {
  const socket = join(within, 'watertight-XXXXXX', '.s.PGSQL.5432');
  return socket.length > longestSocketPath ? '/tmp' : within;
}

/** No password: only the server's own account and root can enter the folder of the socket. */
function urlOf(folder: string, port: number = usualPort): string {
  const url = new URL(`postgres:///postgres?user=postgres&port=${port}&sslmode=disable`);
  url.searchParams.set('host', folder);
  return url.href;
}

async function initialise({ native, folder, account }: Place, signal?: AbortSignal): Promise<void> {
  const log = join(folder, 'initdb.log');
  const child = await launch(join(native, 'bin', 'initdb'), account, log, [
    `--pgdata=${join(folder, 'data')}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]);
  const code = await ended(child, signal);
  if (code !== 0) throw await notStarted('initdb', log);
}

/** Nothing here is worth keeping: no fsync, no background work that would disturb the measurement. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  dynamic_shared_memory_type: 'mmap',
  shared_buffers: '16MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  lc_messages: 'C',
};

function settingsFor(
  folder: string,
  connections: number,
  port: number | undefined,
): Readonly<Record<string, string>> {
  return {
    ...settings,
    unix_socket_directories: folder,
    max_connections: String(connections + spareConnections),
    port: String(port ?? usualPort),
    ...(port !== undefined && { listen_addresses: '127.0.0.1' }),
  };
}

async function start(
  { native, folder, account }: Place,
  all: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<void> {
  const log = join(folder, 'server.log');
  const data = join(folder, 'data');
  const child = await launch(join(native, 'bin', 'postgres'), account, log, [
    '-D',
    data,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const deadline = AbortSignal.timeout(startTimeoutMillis);
  while (!(await isReady(data))) {
    signal?.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null || deadline.aborted) {
      throw await notStarted('postgres', log);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // From here on its guard looks after it; this process may end before it.
  child.unref();
}

/** The eighth line of its lock file is where the server tells its state. */
async function isReady(data: string): Promise<boolean> {
  try {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    return lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** In a process group of its own, so that Ctrl-C does not take it away before its time. */
async function launch(
  program: string,
  account: Account,
  log: string,
  options: readonly string[],
): Promise<ChildProcess> {
  const file = await open(log, 'w');
  try {
    return spawn(program, options, {
      ...account,
      cwd: '/',
      detached: true,
      env: withoutPostgresSettings(process.env),
      stdio: ['ignore', file.fd, file.fd],
    });
  } finally {
    await file.close();
  }
}

/** PGDATA, PGPORT and the like of the surrounding shell are meant for another server. */
function withoutPostgresSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PG')));
}

/** The exit code, or null when it did not start. */
function ended(child: ChildProcess, signal?: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      child.kill('SIGKILL');
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    const settle = (code: number | null): void => {
      signal?.removeEventListener('abort', abort);
      resolve(code);
    };
    child.once('close', settle);
    child.once('error', () => settle(null));
  });
}

async function notStarted(program: string, log: string): Promise<RehearsalError> {
  const said = await readFile(log, 'utf8').catch(() => '');
  const lines = said.split('\n').filter((line) => /error|fatal|panic/i.test(line));
  const reason = describeError(lines.join(' ')) || 'it says nothing about the reason';
  return new RehearsalError(
    'ERR_NO_SERVER',
    `the embedded PostgreSQL did not start (${program}): ${reason}`,
  );
}
