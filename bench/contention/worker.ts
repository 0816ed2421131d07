/** Measures one subject at one task, one size after the other, in a process of its own. */
import { loadSubject } from '../subjects/load.ts';
import { tasks } from './tasks.ts';

export interface Order {
  readonly task: string;
  readonly subject: string;
  readonly sizes: readonly number[];
  readonly library: string;
  /** A size gets as many samples as fit into this, at least one, and as long to get warm. */
  readonly sizeMillis: number;
}

export interface Figure {
  readonly n: number;
  readonly nanos: number;
}

/** A figure, or nothing but a sign of life after each sample. */
export type Message = Figure | null;

const warmUpTo = 10_000;
const samples = 7;

// Timers that do not keep the process alive are part of what is measured.
setInterval(() => undefined, 1e6);

// Whoever asked is gone: interrupted, most likely.
process.once('disconnect', () => process.exit(1));

process.once('message', (order: Order) => {
  void measure(order).then(
    () => process.exit(0),
    (error) => {
      if (process.connected) console.error(error);
      process.exit(1);
    },
  );
});

async function measure(order: Order): Promise<void> {
  const task = tasks.find(({ name }) => name === order.task);
  if (!task) throw new Error(`unknown task: ${order.task}`);
  const subject = await loadSubject(order.subject, order.library);
  for (const n of order.sizes) {
    const sample = await task.prepare(subject, n);
    const sign = async (): Promise<number> => {
      const nanos = await sample();
      await send(null);
      return nanos;
    };
    // A long line is warm when it has begun.
    if (n <= warmUpTo) await repeat(sign, order.sizeMillis);
    // The fastest was disturbed least: neighbours on the machine only ever add.
    await send({ n, nanos: Math.min(...(await repeat(sign, order.sizeMillis))) });
  }
}

/** At least once. */
async function repeat(sample: () => Promise<number>, millis: number): Promise<number[]> {
  const nanos: number[] = [];
  const end = performance.now() + millis;
  do nanos.push(await sample());
  while (nanos.length < samples && performance.now() < end);
  return nanos;
}

const send = (message: Message): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });
