/**
 * Whoever starts a container owes its end, however he ends himself. A small process waits until its
 * standard input closes, which the kernel does for it even after `kill -9` of this process; then it
 * removes the container by its name.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** Where the container engine listens. */
export interface Engine {
  readonly socketPath?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
}

/** For a while, as a container may just be being made. */
const script = `
const { request } = require('node:http');
const [engine, name] = process.argv.slice(1);
let tries = 30;
let told = '';
process.stdin.on('data', (text) => (told += text)).on('end', () => told || remove()).resume();
function remove() {
  const again = () => tries-- > 0 && setTimeout(remove, 100);
  const path = '/containers/' + name + '?force=true&v=true';
  request({ ...JSON.parse(engine), method: 'DELETE', path }, (answer) => {
    answer.resume();
    if (answer.statusCode >= 400) again();
  }).on('error', again).end();
}
`;

export class Guard {
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;

  constructor(engine: Engine, container: string) {
    // Detached: Ctrl-C in a terminal goes to the whole process group and must not reach it.
    this.#child = spawn(process.execPath, ['-e', script, JSON.stringify(engine), container], {
      cwd: '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#gone = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', () => resolve());
    });
    this.#child.stdin?.on('error', () => undefined);
    // It keeps nobody alive: a process that has nothing else to do ends, and the guard clears up.
    this.#child.unref();
    (this.#child.stdin as Socket | null)?.unref();
  }

  /** The container is gone already; resolves when the guard is, too. */
  dismiss(): Promise<void> {
    return this.#end('gone');
  }

  /** Resolves when the container is gone. */
  clear(): Promise<void> {
    return this.#end('');
  }

  async #end(told: string): Promise<void> {
    this.#child.ref();
    this.#child.stdin?.end(told);
    await this.#gone;
  }
}
