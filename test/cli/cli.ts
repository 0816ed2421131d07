import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The command as it is built, in a process of its own. */
const bin = process.env['WATERTIGHT_BIN'] ?? join(process.cwd(), 'dist/esm/cli/main.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when this was said on stderr, or on the terminal. */
  readonly says: (words: string) => Promise<void>;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** An open file, in place of the pipe that is read here. */
  readonly stdout?: number;
}

/** With a temporary folder of its own, so that whatever is left behind can be seen. */
export class Sandbox {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'wt-'));

  constructor() {
    chmodSync(this.folder, 0o755);
  }

  start(...args: string[]): Running {
    return this.startWith({}, ...args);
  }

  startWith({ cwd, env, stdout }: Surroundings, ...args: string[]): Running {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { ...process.env, ...env, TMPDIR: this.folder },
      stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    });
    return attend(child);
  }

  /** In a terminal, whose keys are `child.stdin`; what it shows is told as stdout. */
  startOnTerminal(...args: string[]): Running {
    const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, TMPDIR: this.folder, TERM: 'xterm', CI: '' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return attend(child);
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  /** Files and processes that are still there. */
  async leftovers(): Promise<string[]> {
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
    const processes = stdout.split('\n').filter((line) => line.includes(this.folder));
    return [...readdirSync(this.folder), ...processes];
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function attend(child: ChildProcess): Running {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const says = (words: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stderr.includes(words) || (child.stdin && stdout.includes(words))) resolve();
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      void ended.then(() =>
        reject(new Error(`ended without saying '${words}': ${stdout}${stderr}`)),
      );
      look();
    });
  return { child, ended, says };
}

export const noStack: RegExp = /^\s+at .*\d+:\d+/m;
