import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figure, Message, Order } from './worker.ts';

const worker = fileURLToPath(new URL('worker.js', import.meta.url));
const nodeOptions = ['--expose-gc', '--max-old-space-size=8192'];

/**
 * The figures of one child, as far as it got: a sample that takes longer than the
 * budget ends it.
 * @throws when the child fails
 */
export function measureInChild(order: Order, budgetMillis: number): Promise<readonly Figure[]> {
  return new Promise((resolve, reject) => {
    const figures: Figure[] = [];
    const child = fork(worker, { execArgv: nodeOptions });
    const stop = (): void => void child.kill('SIGKILL');
    let timer = setTimeout(stop, budgetMillis);
    process.once('exit', stop);
    child.on('message', (message: Message) => {
      if (message) figures.push(message);
      clearTimeout(timer);
      timer = setTimeout(stop, budgetMillis);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      process.off('exit', stop);
      if (code === 0 || signal === 'SIGKILL') resolve(figures);
      else reject(new Error(`${order.subject}, ${order.task}: the child ended with ${code}`));
    });
    child.send(order);
  });
}
