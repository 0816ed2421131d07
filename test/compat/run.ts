import { execFile } from 'node:child_process';
import { foundUrl } from '../servers/urls.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a process of its own, as its users would, with the URLs of the servers. */
export function run(command: string, parameters: readonly string[]): Promise<Ended> {
  const env = {
    ...process.env,
    COMPAT_PG_URL: foundUrl('postgres'),
    COMPAT_MYSQL_URL: foundUrl('mysql'),
    // The reporter of the tests writes colours otherwise.
    FORCE_COLOR: '0',
    // jest marks its own processes with it, and node:test then reports nothing.
    NODE_TEST_CONTEXT: undefined,
  };
  return new Promise((resolve) => {
    const options = { cwd: __dirname, env, timeout: 120_000 };
    const child = execFile(command, parameters, options, (error, stdout, stderr) => {
      resolve({ code: error ? (child.exitCode ?? 1) : 0, stdout, stderr });
    });
  });
}
