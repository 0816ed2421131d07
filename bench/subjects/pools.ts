// Pools of connections, each around one that does nothing.
import { EventEmitter } from 'node:events';
import genericPool from 'generic-pool';
import { createPool as createLightningPool } from 'lightning-pool';
import mysql from 'mysql2';
import pg from 'pg';
import { Pool as TarnPool } from 'tarn';
import type { Gate, Outcome, Subject } from './subject.ts';

/** Most pools look the same from outside. */
interface PromisedPool<T> {
  acquire(priority?: number): PromiseLike<T>;
  release(held: T): unknown;
}

/** As many milliseconds as make a deadline that nobody meets in a bench. */
const aDay = 86_400_000;

export const pgPool: Subject = {
  name: 'pg-pool',
  abilities: ['timeout'],
  open({ timeoutMillis, timeoutMatters }) {
    class FakeClient extends EventEmitter {
      release(): void {}
      connect(connected: () => void): void {
        connected();
      }
      end(ended?: () => void): void {
        ended?.();
      }
      ref(): void {}
      unref(): void {}
      readonly _queryable = true;
      readonly _ending = false;
    }
    const pool = new pg.Pool({
      Client: FakeClient as unknown as typeof pg.Client,
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: timeoutMatters ? timeoutMillis : 0,
    });
    return gateOf({
      acquire: () => pool.connect(),
      release: (client) => client.release(),
    });
  },
};

export const tarn: Subject = {
  name: 'tarn',
  abilities: ['timeout'],
  open({ timeoutMillis, timeoutMatters }) {
    const pool = new TarnPool<object>({
      create: () => Promise.resolve({}),
      destroy: () => undefined,
      min: 1,
      max: 1,
      acquireTimeoutMillis: timeoutMatters ? timeoutMillis : aDay,
    });
    return gateOf({
      acquire: () => pool.acquire().promise,
      release: (resource) => pool.release(resource),
    });
  },
};

export const generic: Subject = {
  name: 'generic-pool',
  abilities: ['timeout', 'priority'],
  open({ timeoutMillis, timeoutMatters }) {
    const factory = { create: () => Promise.resolve({}), destroy: () => Promise.resolve() };
    const pool = genericPool.createPool<object>(factory, {
      min: 1,
      max: 1,
      priorityRange: 4,
      ...(timeoutMatters && { acquireTimeoutMillis: timeoutMillis }),
    });
    return gateOf({
      // Its 0 comes first.
      acquire: (priority = 0) => pool.acquire(3 - priority),
      release: (resource) => pool.release(resource),
    });
  },
};

export const lightning: Subject = {
  name: 'lightning-pool',
  abilities: ['timeout'],
  open({ timeoutMillis, timeoutMatters }) {
    const factory = {
      create: () => Promise.resolve({}),
      destroy: () => Promise.resolve(),
    };
    const pool = createLightningPool<object>(factory, {
      max: 1,
      maxQueue: 1e9,
      validation: false,
      acquireTimeoutMillis: timeoutMatters ? timeoutMillis : 0,
    });
    pool.start();
    return gateOf({
      acquire: () => pool.acquire(),
      release: (resource) => pool.release(resource),
    });
  },
};

interface FakeConnection {
  _pool: unknown;
  release(): void;
}

/** mysql2's own pool and line; a connection that is there already. */
export const mysql2: Subject = {
  name: 'mysql2',
  abilities: [],
  open() {
    const pool = mysql.createPool({ connectionLimit: 1, queueLimit: 0 });
    const inner = pool as unknown as {
      _allConnections: { push(connection: FakeConnection): void };
      _freeConnections: { push(connection: FakeConnection): void };
      releaseConnection(connection: FakeConnection): void;
    };
    const connection = { _pool: pool, release: () => inner.releaseConnection(connection) };
    inner._allConnections.push(connection);
    inner._freeConnections.push(connection);
    // What mysql2/promise does around it, too.
    return gateOf<mysql.PoolConnection>({
      acquire: () =>
        new Promise((resolve, reject) => {
          pool.getConnection((error, held) => (error ? reject(error) : resolve(held)));
        }),
      release: (held) => held.release(),
    });
  },
};

function gateOf<T>(pool: PromisedPool<T>): Gate {
  return {
    async turns(count) {
      for (let turn = 0; turn < count; turn++) {
        const held = await pool.acquire();
        // Some give back at once and only tell later that they have.
        void pool.release(held);
      }
    },
    async hold() {
      const held = await pool.acquire();
      return () => void pool.release(held);
    },
    caller: (outcome) => callerOf(pool, outcome),
    ask: () => pool.acquire(),
  };
}

function callerOf<T>(
  pool: PromisedPool<T>,
  outcome: Outcome,
): (call?: { priority?: number }) => void {
  const served = (held: T): void => {
    void pool.release(held);
    outcome.served();
  };
  return (call) => void pool.acquire(call?.priority).then(served, outcome.refused);
}
