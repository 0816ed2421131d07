import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RehearsalError } from '../errors.ts';

/** Under whom the server runs. Empty: as this process does. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root; `nobody` is on every Unix, `postgres` where one is installed. */
const candidates = ['postgres', 'nobody'];

export async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  for (const name of candidates) {
    const account = await lookUp(name);
    if (account !== undefined) return account;
  }
  throw new RehearsalError(
    'ERR_NO_SERVER',
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody; ' +
      'run as another user, or give the URL of a server',
  );
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

async function idOf(flag: '-u' | '-g', name: string): Promise<number> {
  const { stdout } = await promisify(execFile)('id', [flag, name]);
  return Number.parseInt(stdout, 10);
}
