import type { RunName } from '../rehearsal/index.ts';

interface Rehearsed {
  readonly max: number;
  readonly partitions?: Readonly<Record<string, { readonly size: number; readonly max?: number }>>;
}

/** The most connections a partition may hold in a run; in the shared one there are no walls. */
export function ceilingOf(run: RunName, partition: string, { max, partitions }: Rehearsed): number {
  const share = partitions?.[partition];
  if (run === 'shared' || share === undefined) return max;
  return Math.min(max, share.max ?? share.size);
}
