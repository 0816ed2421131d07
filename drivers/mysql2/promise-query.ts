import { StockPromisePool } from './stock.ts';

type Done = (error: unknown, rows?: unknown, fields?: unknown) => void;
type Run = (...args: unknown[]) => Promise<unknown>;

interface PromiseFace {
  readonly pool: Readonly<Record<'query' | 'execute', (...args: unknown[]) => unknown>>;
  readonly Promise: PromiseConstructor;
}

/** mysql2's own `query` or `execute` of the promise face, which tracers may have wrapped. */
export function stockRun(name: 'query' | 'execute'): Run {
  return copiesErrors ? runWell(name) : (Reflect.get(StockPromisePool.prototype, name) as Run);
}

/** As newer versions do it: the error is the one that the pool told. */
const runWell = (name: 'query' | 'execute'): Run =>
  function run(this: PromiseFace, ...args: unknown[]) {
    return new this.Promise((resolve, reject) => {
      const done: Done = (error, rows, fields) => {
        if (error) reject(error);
        else resolve([rows, fields]);
      };
      this.pool[name](...args.filter((argument) => argument !== undefined), done);
    });
  };

/**
 * Older versions of mysql2 tell a promise a copy of an error with some of its fields: the partition,
 * the holders and the status would be lost.
 */
const copiesErrors: boolean = (() => {
  const probe = new Error('probe');
  let told: unknown;
  // In place of a promise, which would tell later.
  const Told = function run(executor: (resolve: () => void, reject: Done) => void): void {
    executor(
      () => {},
      (error) => (told = error),
    );
  };
  const pool = { config: { connectionConfig: {} }, query: (_: string, done: Done) => done(probe) };
  void (Reflect.get(StockPromisePool.prototype, 'query') as Run).call({ pool, Promise: Told }, '');
  return told !== probe;
})();
