import type { PoolConnection } from 'mysql2/promise';

/** The caller of a pool without a deadline of its own has had enough. */
export class OutOfPatience extends Error {
  override readonly name: string = 'OutOfPatience';
}

/**
 * What services do, as mysql2's own pool has no limit for the wait: they race it. Nothing takes
 * the caller out of the line, so its connection comes in the end, and goes straight back.
 */
export async function withPatience(
  connecting: Promise<PoolConnection>,
  millis: number,
): Promise<PoolConnection> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<never>((_, reject) => {
    const message = `no connection within ${Math.round(millis)} ms`;
    timer = setTimeout(() => reject(new OutOfPatience(message)), millis);
  });
  try {
    return await Promise.race([connecting, enough]);
  } catch (error) {
    if (error instanceof OutOfPatience) giveBack(connecting);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function giveBack(connecting: Promise<PoolConnection>): void {
  connecting.then((connection) => connection.release()).catch(() => undefined);
}
