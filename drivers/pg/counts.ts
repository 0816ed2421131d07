import { override } from '../shared/override.ts';

type Count = 'totalCount' | 'idleCount' | 'waitingCount' | 'expiredCount';

/**
 * Overrides the counts of a pool class. The types of pg declare them as plain properties; at run
 * time they are accessors.
 * @param clients pg-pool's private list, which programs look at all the same
 */
export function overrideCounts<P extends object>(
  pool: { readonly prototype: P },
  counts: Readonly<Record<Count, (pool: P) => number>>,
  clients: (pool: P) => unknown,
): void {
  for (const [name, count] of Object.entries(counts)) override(pool, name, count);
  override(pool, '_clients', clients);
}
