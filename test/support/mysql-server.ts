import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql2 from 'mysql2/promise';
import { unprivilegedAccount, type Account } from '../../rehearsal/embedded/account.ts';

export interface MysqlServer {
  /** mysql://user:password@host:port/database, with all privileges. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A MariaDB of this machine, in a folder of its own, on a free port of the loopback address. */
export async function startMysql(): Promise<MysqlServer> {
  const account = await unprivilegedAccount();
  const folder = await mkdtemp(join(tmpdir(), 'watertight-mysql-'));
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(folder, account.uid, account.gid);
  }
  const port = await freePort();
  await install(folder, account);
  const server = spawn('mariadbd', settings(folder, port), { ...account, stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    await ended(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { url: await makeUser(join(folder, 'socket'), port, server), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function install(folder: string, account: Account): Promise<void> {
  const options = ['--no-defaults', `--datadir=${join(folder, 'data')}`, '--skip-test-db'];
  await promisify(execFile)(
    'mariadb-install-db',
    [...options, '--auth-root-authentication-method=normal'],
    { ...account, cwd: folder },
  );
}

const settings = (folder: string, port: number): string[] => [
  ...['--no-defaults', `--datadir=${join(folder, 'data')}`, `--socket=${join(folder, 'socket')}`],
  ...['--bind-address=127.0.0.1', `--port=${port}`, '--max-connections=200'],
  ...['--innodb-buffer-pool-size=32M', '--innodb-flush-log-at-trx-commit=0', '--skip-name-resolve'],
];

async function makeUser(socketPath: string, port: number, server: ChildProcess): Promise<string> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('mariadbd has ended; is its package installed?');
    try {
      const admin = await mysql2.createConnection({ socketPath, user: 'root' });
      await admin.query('create database shop');
      await admin.query("create user shop@'%' identified by 'test'");
      await admin.query("grant all on *.* to shop@'%' with grant option");
      await admin.end();
      return `mysql://shop:test@127.0.0.1:${port}/shop`;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== 'ENOENT' && code !== 'ECONNREFUSED') throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await exit;
}
