import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * One question to a fresh process, one answer.
 * @throws when it ends without one
 */
export async function askChild(worker: URL, question: object): Promise<unknown> {
  const child = fork(worker, { execArgv: ['--expose-gc', '--max-old-space-size=8192'] });
  const answered = once(child, 'message').then(([value]) => value as unknown);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${JSON.stringify(question)}: the child ended with ${String(code)}`);
  });
  child.send(question);
  try {
    return await Promise.race([answered, ended]);
  } finally {
    child.kill('SIGKILL');
    await ended.catch(() => undefined);
  }
}

/** The other side: answers the one question. */
export function answer(reply: (question: never) => Promise<object>): void {
  // Timers that do not keep the process alive are part of what is measured.
  setInterval(() => undefined, 1e6);
  process.once('message', (question) => {
    void reply(question as never).then((value) => process.send?.(value));
  });
  process.once('disconnect', () => process.exit(1));
}
