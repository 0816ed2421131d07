import { AsyncResource } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { Pool, PoolConnection } from 'mysql2';
import { callUser } from '../../src/call-user.ts';
import { createQuery, StockPool, type StockConfig } from './stock.ts';

type Callback = (...args: unknown[]) => unknown;

/** A query of mysql2 before it is sent. */
export interface Query extends EventEmitter {
  /** The callback; without one its outcome is told by events. */
  onResult: Callback | undefined;
  namedPlaceholders: boolean | undefined;
}

type CallingPool = Pool & { readonly config: StockConfig };

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

/**
 * As mysql2's own does it, but without `once` and with closures that do not hold each other. `once`
 * makes an object literal that holds the query. Where many wait at the start, V8 takes such literals
 * for long-lived and makes them among the old objects from then on, where each keeps its query until
 * a full collection: a tenth of the CPU time of a query, or more, on Node 20 to 24.
 */
function query(pool: CallingPool, sql: unknown, values: unknown, callback: unknown): Query {
  const { connectionConfig } = pool.config;
  const command = createQuery(sql, values, callback, connectionConfig);
  command.onResult = calledWell(command.onResult) as Callback | undefined;
  command.namedPlaceholders ??= connectionConfig.namedPlaceholders;
  pool.getConnection((error, connection) => {
    if (error) tell(command, error);
    else send(command, connection);
  });
  return command;
}

function send(command: Query, connection: PoolConnection): void {
  let failure: unknown;
  const { onResult } = command;
  if (onResult) {
    command.onResult = (...args) => {
      failure = args[0];
      onResult(...args);
    };
  } else {
    command.on('error', (error) => (failure = error));
  }
  try {
    (connection as unknown as { query(command: Query): Query }).query(command).on('end', () => {
      if (isReadOnly(failure)) connection.destroy();
      else connection.release();
    });
  } catch (error) {
    connection.release();
    tell(command, error);
  }
}

function tell(command: Query, error: unknown): void {
  if (command.onResult) command.onResult(error);
  else command.emit('error', error);
}

/** After a failover the server reads only, and others write: mysql2 leaves it to whoever is dialled. */
const READ_ONLY = new Set<unknown>([1290, 1792, 1836]);
const isReadOnly = (error: unknown): boolean =>
  READ_ONLY.has((error as { errno?: number } | undefined)?.errno);

/** A method of a class has no `prototype`; what a tracer puts in its place, a function, has. */
const isReplaced = (method: object): boolean => Object.hasOwn(method, 'prototype');

/**
 * Gives a pool class a `query` and an `execute` that call back well. Not methods of the class: they
 * have the many signatures of those they replace.
 */
export function callBackWell(pool: { readonly prototype: Pool }): void {
  for (const name of ['query', 'execute'] as const) {
    Object.defineProperty(pool.prototype, name, {
      configurable: true,
      writable: true,
      value: function run(this: CallingPool, sql: unknown, values: unknown, callback: unknown) {
        // Looked up at each call: tracers replace it after we were loaded, or before.
        const stock = StockPool.prototype[name] as Callback;
        if (name === 'query' && !isReplaced(stock)) return query(this, sql, values, callback);
        return stock.call(this, sql, calledWell(values), calledWell(callback));
      },
    });
  }
}
