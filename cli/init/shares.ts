/** Sizes by the names of partitions; the first is where calls go that say nothing. */
export type Shares = Readonly<Record<string, number>>;

/** Of five connections, one is for what nobody waits for. */
const batchShare = 1 / 5;

/** A beginning, until somebody has measured: most for those who wait, the rest for the batch. */
export function sharesOf(capacity: number): Shares {
  if (capacity < 2) return { web: 1 };
  const batch = Math.max(1, Math.round(capacity * batchShare));
  return { web: capacity - batch, batch };
}
