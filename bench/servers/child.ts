import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BenchServer } from './server.ts';

/** A server that answers from memory, in a process of its own: only its clients are measured. */
export async function startChild(name: 'mysql' | 'mongo'): Promise<BenchServer> {
  const child = fork(new URL(`${name}.js`, import.meta.url));
  const gone = once(child, 'exit');
  const [urls] = (await Promise.race([
    once(child, 'message'),
    gone.then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}`))),
  ])) as [BenchServer['urls']];
  return {
    urls,
    async stop() {
      child.kill();
      await gone;
    },
  };
}
