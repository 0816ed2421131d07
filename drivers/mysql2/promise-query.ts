import { StockPromisePool } from './stock.ts';

type Done = (error: unknown, rows?: unknown, fields?: unknown) => void;
type Run = (...args: unknown[]) => Promise<unknown>;

interface PromiseFace {
  readonly pool: Readonly<Record<'query' | 'execute', (...args: unknown[]) => unknown>>;
  readonly Promise: PromiseConstructor;
}

/**
 * Gives a promise face a `query` and an `execute` whose errors are those that the pool told. Only
 * where mysql2's own do not: nothing is put between it and its caller, whose stack it takes down.
 */
export function keepErrors(face: { readonly prototype: object }): void {
  if (!copiesErrors) return;
  for (const name of ['query', 'execute'] as const) {
    Object.defineProperty(face.prototype, name, {
      configurable: true,
      writable: true,
      value: function run(this: PromiseFace, ...args: unknown[]) {
        return new this.Promise((resolve, reject) => {
          const done: Done = (error, rows, fields) => {
            if (error) reject(error);
            else resolve([rows, fields]);
          };
          this.pool[name](...args.filter((argument) => argument !== undefined), done);
        });
      },
    });
  }
}

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
