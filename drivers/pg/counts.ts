type Count = 'totalCount' | 'idleCount' | 'waitingCount' | 'expiredCount';

/**
 * Overrides the counts of a pool class. The types of pg declare them as plain properties, which a
 * class may not override by accessors; at run time they are accessors.
 * @param clients pg-pool's private list, which programs look at all the same
 */
export function overrideCounts<P extends object>(
  pool: { readonly prototype: P },
  counts: Readonly<Record<Count, (pool: P) => number>>,
  clients: (pool: P) => unknown,
): void {
  for (const [name, count] of Object.entries(counts)) {
    override(pool.prototype, name, count);
  }
  override(pool.prototype, '_clients', clients);
}

function override<P extends object>(prototype: P, name: string, get: (pool: P) => unknown): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: P) {
      return get(this);
    },
    // The constructor of pg-pool assigns its own.
    set() {},
  });
}
