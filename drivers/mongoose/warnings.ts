import type { Client } from './driver.ts';
import type { Operation } from './operation.ts';

const told = new Set<string>();

/** Tells of something once in a process. */
function warnOnce(code: string, message: string): void {
  if (told.has(code)) return;
  told.add(code);
  process.emitWarning(message, { code });
}

/** Notices a partition in which something waits for changes beside ordinary operations. */
export class TailWatch {
  readonly #tailing = new Set<string>();
  readonly #working = new Set<string>();

  see({ name, tails }: Operation, partition: string): void {
    if (tails) this.#tailing.add(partition);
    else if (name !== 'getMore') this.#working.add(partition);
    if (!this.#tailing.has(partition) || !this.#working.has(partition)) return;
    warnOnce(
      'WATERTIGHT_CHANGE_STREAM',
      `partition '${partition}': a change stream or tailable cursor holds a connection practically ` +
        `all the time, and other operations of this partition wait for it; open it in a partition of its own`,
    );
  }
}

/**
 * The driver opens at most `maxConnecting` connections at a time, for all partitions together: a burst
 * of one in a cold pool delays the first operations of the others.
 */
export function adviseWarmth({ options }: Client, reserved: number): void {
  const { maxConnecting = 2, minPoolSize = 0 } = options;
  if (maxConnecting >= reserved || minPoolSize >= reserved) return;
  warnOnce(
    'WATERTIGHT_COLD_POOL',
    `the driver opens ${maxConnecting} connections at a time, for all partitions together; set ` +
      `maxConnecting or minPoolSize to ${reserved}, the sum of the sizes, or a burst in one partition ` +
      `delays the first operations of the others`,
  );
}

export function warnOfHandOff(): void {
  warnOnce(
    'WATERTIGHT_UNSUPPORTED_DRIVER',
    'an operation got its connection in a way that is not known here, and past its partition: ' +
      'this version of the mongodb driver is not supported',
  );
}
