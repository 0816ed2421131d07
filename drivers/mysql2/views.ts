import { override } from '../shared/override.ts';
import type { Physical } from './physical.ts';

/**
 * Shows mysql2's own lists, which programs look at although they are private: connections are those
 * of the physical pool, the line is the pool's own.
 */
export function overrideViews<P extends { readonly physical: Physical }>(
  pool: { readonly prototype: P },
  waiting: (pool: P) => number,
): void {
  override(pool, '_allConnections', ({ physical }) => physical.pool._allConnections);
  override(pool, '_freeConnections', ({ physical }) => physical.pool._freeConnections);
  override(pool, '_connectionQueue', (one) => ({ length: waiting(one), get: () => undefined }));
  override(pool, '_removeIdleTimeoutConnectionsTimer', ({ physical }) =>
    Reflect.get(physical.pool, '_removeIdleTimeoutConnectionsTimer'),
  );
  // The constructor of each pool would start one.
  Object.defineProperty(pool.prototype, '_removeIdleTimeoutConnections', {
    configurable: true,
    value: () => {},
  });
}
