import type { PoolConnection } from 'mysql2';
import { LeaseReleasedError } from '../../src/errors.ts';
import { isUsable, type ConnectionHolder, type TrackedConnection } from './connection.ts';
import { holderOf } from './release.ts';
import { StockPromisePoolConnection } from './stock.ts';

type Method = (...args: unknown[]) => unknown;

const COMMANDS = [
  ...['query', 'execute', 'prepare', 'ping', 'reset', 'changeUser'],
  ...['beginTransaction', 'commit', 'rollback'],
];

/**
 * The promise face of a connection for the length of one lease: after that it does nothing to the
 * connection, which somebody else may have by then.
 */
export class LeasedConnection extends StockPromisePoolConnection {
  readonly #holder: ConnectionHolder | undefined;

  constructor(connection: PoolConnection, promise?: PromiseConstructor) {
    super(connection, promise);
    this.#holder = holderOf(connection);
  }

  override release(): void {
    if (!this.#isOver) super.release();
  }

  override destroy(): void {
    // One that nobody has may be destroyed by whoever knows it.
    if (!this.#isOver || !holderOf(this.connection)) super.destroy();
  }

  override async end(): Promise<void> {
    if (!this.#isOver) await super.end();
  }

  get #isOver(): boolean {
    return this.#holder?.over !== false;
  }

  static {
    for (const name of COMMANDS) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        writable: true,
        value: function run(this: LeasedConnection, ...args: unknown[]) {
          // One that is lost says so itself.
          if (this.#isOver && isUsable(this.connection as unknown as TrackedConnection)) {
            return this.Promise.reject(new LeaseReleasedError(this.#holder?.partition ?? ''));
          }
          const stock = Reflect.get(StockPromisePoolConnection.prototype, name) as Method;
          return stock.apply(this, args);
        },
      });
    }
  }
}
