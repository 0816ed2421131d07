import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import type { RunningServer } from './database.ts';
import { freePort } from './free-port.ts';

type Binary = 'mysqld' | 'mariadbd';

const startTimeoutMillis = 60_000;

/** Starts the `mysqld` or `mariadbd` on the PATH, in a temporary folder. */
export async function startLocalMysql(binary: Binary, connections: number): Promise<RunningServer> {
  await checkBinary(binary);
  const folder = await mkdtemp(join(tmpdir(), 'watertight-mysql-'));
  try {
    const port = await freePort();
    const child = await start(binary, folder, port, connections);
    const url = `mysql://tester:s3cret@127.0.0.1:${port}/shop`;
    const stop = (): Promise<void> => end(child, folder);
    await untilItAnswers(url, child).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { url, from: `the ${binary} of this machine`, stop };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** MariaDB comes with a `mysqld` of its own. */
async function checkBinary(binary: Binary): Promise<void> {
  const { stdout } = await promisify(execFile)(binary, ['--no-defaults', '--version']).catch(
    (cause: unknown) => {
      throw new Error(`no ${binary} on the PATH`, { cause });
    },
  );
  const isMariadb = stdout.includes('MariaDB');
  if (isMariadb !== (binary === 'mariadbd'))
    throw new Error(`the ${binary} on the PATH is MariaDB`);
}

async function start(
  binary: Binary,
  folder: string,
  port: number,
  connections: number,
): Promise<ChildProcess> {
  const data = join(folder, 'data');
  const account = `--user=${userInfo().username}`;
  const [initialise, how]: [string, string] =
    binary === 'mysqld'
      ? ['mysqld', '--initialize-insecure']
      : ['mariadb-install-db', '--auth-root-authentication-method=normal'];
  await promisify(execFile)(initialise, ['--no-defaults', how, account, `--datadir=${data}`]);
  const setUp = join(folder, 'set-up.sql');
  await writeFile(
    setUp,
    `create database shop;
create user tester@'127.0.0.1' identified by 's3cret';
grant all on *.* to tester@'127.0.0.1' with grant option;
`,
  );
  const options = [
    ...['--no-defaults', account, `--datadir=${data}`, `--init-file=${setUp}`],
    ...[`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`],
    ...[`--max-connections=${connections}`, `--pid-file=${join(folder, 'pid')}`],
    // Without a name resolver tester@127.0.0.1 is whom the client is.
    ...['--skip-name-resolve', ...(binary === 'mysqld' ? ['--mysqlx=OFF'] : [])],
  ];
  return spawn(binary, options, { stdio: 'ignore' });
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + startTimeoutMillis;
  for (;;) {
    try {
      const connection = await mysql.createConnection(url);
      return connection.destroy();
    } catch (error) {
      if (child.exitCode !== null || performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
