/**
 * Runs a full collection, to count what is left. Never before something that is timed: it throws
 * away optimised code whose objects are all gone just then, and a short sample would mostly measure
 * how that is compiled again. Needs --expose-gc.
 */
export function collect(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

/**
 * CPU time of this process, all threads, in nanoseconds. On a machine with neighbours it is steadier
 * than time on the clock, and it includes what the collector does beside the main thread.
 */
export async function cpuNanos(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

/** Settles when `count` callers have been served or refused. */
export class Countdown {
  #left = 0;
  #done: () => void = () => undefined;

  readonly one = (): void => {
    if (--this.#left === 0) this.#done();
  };

  of(count: number): Promise<void> {
    this.#left = count;
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }
}

/** The same shuffle each time: subjects get the same work. */
export function shuffled(count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  let seed = 42;
  for (let index = count - 1; index > 0; index--) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const other = seed % (index + 1);
    const held = order[index] ?? 0;
    order[index] = order[other] ?? 0;
    order[other] = held;
  }
  return order;
}
