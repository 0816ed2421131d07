import { Faults } from '../../src/config.ts';

export interface EndOptions {
  /**
   * Milliseconds after which connections that were never released are closed all the same, with a
   * process warning that names their holders.
   * @defaultValue waits for ever
   */
  timeoutMillis?: number | undefined;
  /**
   * Serves the callers that are in line already, instead of refusing them.
   * @defaultValue false
   */
  drain?: boolean | undefined;
}

/** @throws `ERR_CONFIG` */
export function checkEndOptions({ timeoutMillis }: EndOptions): void {
  const faults = new Faults();
  if (timeoutMillis !== undefined && !(timeoutMillis >= 0 && timeoutMillis < 2 ** 31)) {
    faults.add('timeoutMillis', 'expected milliseconds from 0 up', timeoutMillis);
  }
  faults.throwIfAny();
}

/** False when the limit passes first; undefined is no limit. */
export async function settlesWithin(
  promise: Promise<void>,
  limitMillis: number | undefined,
): Promise<boolean> {
  if (limitMillis === undefined) return promise.then(() => true);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMillis);
  });
  const first = await Promise.race([promise.then(() => true), limit]);
  clearTimeout(timer);
  return first;
}
