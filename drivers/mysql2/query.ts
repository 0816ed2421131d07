import { AsyncResource } from 'node:async_hooks';
import { callUser } from '../../src/call-user.ts';
import { StockPool } from './stock.ts';

type Callback = (...args: unknown[]) => unknown;

/**
 * In the caller's own context (I10), where mysql2 calls back in that of whoever opened the
 * connection; once, where it calls twice when an answer comes after a timeout; and outside mysql2's
 * own calls, in which what a callback throws would leave a connection behind that nobody has.
 */
function calledWell(callback: unknown): unknown {
  if (typeof callback !== 'function') return callback;
  const scope = new AsyncResource('watertight.query');
  let called = false;
  return (...args: unknown[]): void => {
    if (called) return;
    called = true;
    callUser(() => scope.runInAsyncScope(callback as Callback, undefined, ...args));
  };
}

interface Pool {
  /** Set for one call by the promise face: a promise needs none of this, whoever settles it. */
  forPromise: boolean;
}

/**
 * Gives a pool class a `query` and an `execute` that call back well. Not methods of the class: they
 * have the many signatures of those they replace.
 */
export function callBackWell(pool: { readonly prototype: Pool }): void {
  for (const name of ['query', 'execute'] as const) {
    Object.defineProperty(pool.prototype, name, {
      configurable: true,
      writable: true,
      value: function run(this: Pool, sql: unknown, values: unknown, callback: unknown) {
        const { forPromise } = this;
        this.forPromise = false;
        // Looked up at each call: tracers wrap it after we were loaded.
        const stock = StockPool.prototype[name] as Callback;
        if (forPromise) return stock.call(this, sql, values, callback);
        return stock.call(this, sql, calledWell(values), calledWell(callback));
      },
    });
  }
}
