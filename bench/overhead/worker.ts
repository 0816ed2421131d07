/** One kind in a process of its own: asks in slices, whenever it is told to. */
import type { Kind } from './kinds/kind.ts';
import { kinds } from './kinds/index.ts';

export interface Opening {
  readonly kind: string;
  readonly url: string;
}

export interface SliceOrder {
  readonly callers: number;
  readonly queries: number;
}

/** Microseconds for the whole slice. */
export interface Slice {
  readonly user: number;
  readonly system: number;
  readonly elapsed: number;
}

let kind: Kind | undefined;

process.on('message', (message: Opening | SliceOrder) => {
  void answer(message).then((slice) => process.send?.(slice));
});
process.once('disconnect', () => process.exit(0));

async function answer(message: Opening | SliceOrder): Promise<Slice | null> {
  if ('kind' in message) {
    kind = await kinds[message.kind]?.(message.url);
    return null;
  }
  if (!kind) throw new Error('not opened');
  return askInTurns(kind, message);
}

/** Closed loop: each caller asks again when it has its answer. */
async function askInTurns(opened: Kind, { callers, queries }: SliceOrder): Promise<Slice> {
  let left = queries;
  const call = async (caller: number): Promise<void> => {
    const ask = opened.askOf(caller);
    while (left-- > 0) await ask();
  };
  const started = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const used = process.cpuUsage(before);
  return { ...used, elapsed: (performance.now() - started) * 1000 };
}
