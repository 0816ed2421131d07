import type { EventEmitter } from 'node:events';
import { emit } from '../shared/emit.ts';
import type { TrackedConnection } from './connection.ts';

type Listener = (...args: unknown[]) => void;
type Added = readonly (readonly [event: string | symbol, listener: Listener])[];

/** What the listeners of a pool have put on a connection, so that it can be taken off again. */
const addedBy = new WeakMap<TrackedConnection, Map<EventEmitter, Added>>();

/**
 * Emits `connection`, for whose listeners the session is new: they set it up. After a reset it is
 * new to them once more; listeners that they then add to the connection replace those of before.
 */
export function setUp(pool: EventEmitter, connection: TrackedConnection): void {
  if (pool.listenerCount('connection') === 0) return;
  const added = addedBy.get(connection) ?? new Map<EventEmitter, Added>();
  addedBy.set(connection, added);
  for (const [event, listener] of added.get(pool) ?? []) {
    connection.removeListener(event, listener);
  }
  const before = new Set(listenersOf(connection).map(([, listener]) => listener));
  emit(pool, 'connection', connection);
  added.set(
    pool,
    listenersOf(connection).filter(([, listener]) => !before.has(listener)),
  );
}

function listenersOf(connection: TrackedConnection): Added {
  return connection
    .eventNames()
    .flatMap((event) =>
      connection.rawListeners(event as string).map((one) => [event, one as Listener] as const),
    );
}
