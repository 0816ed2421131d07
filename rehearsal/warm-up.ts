/** How a subject opens all its connections before the first request comes. */
import { describeError, RehearsalError } from './errors.ts';
import type { Stock } from './subject.ts';

/** The partition's own deadline is for its callers: opening all at once is no part of the rehearsal. */
export const warmUpTimeoutMillis = 10_000;

/** Opens as many connections as there are leases: none is given back before all are there. */
export async function leaseAtOnce(
  connecting: readonly Promise<{ release(): void }>[],
): Promise<void> {
  const settled = await Promise.allSettled(connecting);
  for (const outcome of settled) {
    if (outcome.status === 'fulfilled') outcome.value.release();
  }
  checkAllOpened(settled.filter(({ status }) => status === 'fulfilled').length, settled);
}

/** @throws when some were refused: as it is when none could be opened, which is no want of them */
export function checkAllOpened(
  opened: number,
  settled: readonly PromiseSettledResult<unknown>[],
  wanted: number = settled.length,
): void {
  if (opened >= wanted) return;
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  const cause: unknown = failed?.reason;
  if (failed !== undefined && opened === 0) throw cause;
  const why = failed === undefined ? '' : ` (${describeError(cause)})`;
  throw new RehearsalError(
    'ERR_TOO_FEW_CONNECTIONS',
    `only ${opened} of ${wanted} connections could be opened${why}; ` +
      'the server accepts no more of this user and database, or the pool is too small',
    { cause },
  );
}

/**
 * How many each of these can hold while the others hold theirs: all connections that the load can
 * ever make the pool open, those among them that no partition has reserved.
 */
export function reachable(
  { max, partitions }: Stock,
  names: readonly string[],
): (readonly [name: string, count: number])[] {
  const sizes = Object.values(partitions).map(({ size }) => size);
  let unreserved = max - sizes.reduce((sum, size) => sum + size, 0);
  return names.map((name) => {
    const { size, max: most = size } = partitions[name] ?? { size: 0 };
    const grown = Math.min(most - size, unreserved);
    unreserved -= grown;
    return [name, size + grown];
  });
}
