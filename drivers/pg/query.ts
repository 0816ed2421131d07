import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';

type Callback = (...args: unknown[]) => unknown;

/** pg calls back in the context of the connection, which is that of whoever opened it (I10). */
function inCallersContext(callback: unknown): unknown {
  if (typeof callback !== 'function') return callback;
  const scope = new AsyncResource('watertight.query');
  return (...args: unknown[]) => scope.runInAsyncScope(callback as Callback, undefined, ...args);
}

/** A pool whose `connect` may call back at once when `query` is who calls it. */
interface QueryingPool extends pg.Pool {
  inQuery: boolean;
}

/**
 * Gives a pool class a `query` that keeps the caller's async context in callbacks. Not a method of
 * the class: it has the many signatures of the one it replaces.
 */
export function keepContextInQuery(pool: { readonly prototype: QueryingPool }): void {
  Object.defineProperty(pool.prototype, 'query', {
    configurable: true,
    writable: true,
    value: function query(this: QueryingPool, text: unknown, values: unknown, callback: unknown) {
      // Looked up at each call: tracers wrap it after we were loaded.
      const stock = pg.Pool.prototype as unknown as { readonly query: Callback };
      this.inQuery = true;
      try {
        return stock.query.call(this, text, inCallersContext(values), inCallersContext(callback));
      } finally {
        this.inQuery = false;
      }
    },
  });
}
