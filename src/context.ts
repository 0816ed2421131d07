import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';

/** What `runIn` leaves for the calls below it. */
interface Context {
  readonly partition: string;
  readonly label: string | undefined;
}

// One per process, whichever copies of this package are loaded: a batch that enters its partition
// through the ES module copy must not lose it in a pool from the CommonJS copy.
const key = Symbol.for('watertight.context');
const process = globalThis as { [key]?: { storage?: AsyncLocalStorage<Context> } };
const shared = (process[key] ??= {});

/** What `runIn` returns: a query that is sent when it is awaited was sent, and is a promise. */
type Started<T> = T extends PromiseLike<infer Result> ? Promise<Result> : T;

/**
 * Runs `fn`, and everything it calls and awaits, in the named partition: calls on a pool itself, in
 * every watertight pool of the process and with every driver, go to that pool's partition of this
 * name. A call on a partition (`pool.partition('order')`) stays there.
 *
 * **Gotchas.** A pool that was given no `partitions` ignores it; a pool that has partitions but none
 * of this name throws `ERR_UNKNOWN_PARTITION`. Inner `runIn` calls win over outer ones.
 *
 * @param options.label names the holder in errors and statistics, unless the call has its own
 * @returns what `fn` returns. A thenable that is no promise, such as a query of mongoose or Knex, is
 * sent when somebody awaits it, which would be outside: it is awaited here, and you get the promise.
 */
export function runIn<T>(partition: string, fn: () => T, options?: { label?: string }): Started<T> {
  if (typeof partition !== 'string' || partition === '') {
    throw new TypeError(`runIn: expected the name of a partition, got ${typeof partition}`);
  }
  if (typeof fn !== 'function') {
    throw new TypeError(`runIn: expected a function to run in '${partition}', got ${typeof fn}`);
  }
  const storage = (shared.storage ??= new AsyncLocalStorage());
  return storage.run({ partition, label: options?.label }, () => started(fn()));
}

function started<T>(value: T): Started<T> {
  const isLazy = !types.isPromise(value) && isThenable(value);
  const result = isLazy ? new Promise((resolve, reject) => value.then(resolve, reject)) : value;
  return result as Started<T>;
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value !== null &&
  (typeof value === 'object' || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function';

/** The innermost `runIn` around this call. A program that never calls `runIn` pays nothing. */
export const currentContext = (): Context | undefined => shared.storage?.getStore();
