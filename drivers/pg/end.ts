import { Faults } from '../../src/config.ts';
import { callUser } from '../../src/call-user.ts';

export interface EndOptions {
  /**
   * Milliseconds after which connections that were never released are closed all the same, with a
   * process warning that names their holders.
   * @defaultValue waits for ever, as pg does
   */
  timeoutMillis?: number | undefined;
  /**
   * Serves the callers that are in line already, instead of refusing them.
   * @defaultValue false
   */
  drain?: boolean | undefined;
}

type EndCallback = (error?: Error) => void;

/** pg's two call styles of `end`, and its refusal of a second call. */
export function endOnce(
  pool: { readonly ending: boolean; readonly Promise: PromiseConstructor },
  given: EndOptions | EndCallback | undefined,
  end: (options: EndOptions) => Promise<void>,
): Promise<void> | void {
  const options = typeof given === 'object' && given !== null ? given : {};
  const ended = pool.ending
    ? Promise.reject(new Error('Called end on pool more than once'))
    : checked(options).then(() => end(options));
  if (typeof given !== 'function') {
    return new pool.Promise((resolve, reject) => ended.then(resolve, reject));
  }
  ended.then(
    () => callUser(() => given()),
    (error: Error) => callUser(() => given(error)),
  );
}

async function checked({ timeoutMillis }: EndOptions): Promise<void> {
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
