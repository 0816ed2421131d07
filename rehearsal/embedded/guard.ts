/**
 * Whoever starts a server owes its end, however he ends himself. A tiny shell waits until its
 * standard input closes, which the kernel does for it even after `kill -9` of this process; then it
 * stops the server and removes the folder. It is the only way in which both go: on success, on an
 * error, on Ctrl-C once or twice, and after a crash.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * SIGQUIT is PostgreSQL's immediate shutdown: no checkpoint, but shared memory is given back,
 * which SIGKILL, ours or anybody's, leaves behind: then its number is still in the lock file. The removal is repeated because an `initdb` cut off in its
 * work still writes for a moment.
 */
const script = `
cat > /dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
if [ -n "$pid" ]; then
  kill -QUIT "$pid" 2> /dev/null
  tries=0
  while kill -0 "$pid" 2> /dev/null && [ -e "$1/data/postmaster.pid" ] && [ $tries -lt 200 ]; do
    sleep 0.02
    tries=$((tries + 1))
  done
  [ $tries -eq 200 ] && kill -KILL "$pid" 2> /dev/null
  shm=$(sed -n '7s/.* //p' "$1/data/postmaster.pid" 2> /dev/null)
  [ -n "$shm" ] && ipcrm -m "$shm" 2> /dev/null
fi
tries=0
while [ -e "$1" ] && [ $tries -lt 200 ]; do
  rm -rf "$1" 2> /dev/null || sleep 0.02
  tries=$((tries + 1))
done
`;

export class Guard {
  readonly #shell: ChildProcess;
  readonly #gone: Promise<void>;

  /** Watches over a temporary folder, and over the server whose data is in its `data`. */
  constructor(folder: string) {
    // Detached: Ctrl-C in a terminal goes to the whole process group and must not reach it.
    this.#shell = spawn('/bin/sh', ['-c', script, 'sh', folder], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#gone = new Promise((resolve) => {
      this.#shell.once('close', () => resolve());
      this.#shell.once('error', () => resolve());
    });
    // The end of the shell may come before the end of its input.
    this.#shell.stdin?.on('error', () => undefined);
    // It keeps nobody alive: a process that has nothing else to do ends, and the guard clears up.
    this.#shell.unref();
    (this.#shell.stdin as Socket | null)?.unref();
  }

  /** Resolves when the server and the folder are gone. */
  async clear(): Promise<void> {
    this.#shell.ref();
    this.#shell.stdin?.end();
    await this.#gone;
  }
}
