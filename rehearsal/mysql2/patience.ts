import type { PoolConnection } from 'mysql2/promise';

/** The caller of a pool without a deadline of its own has had enough. */
export class OutOfPatience extends Error {
  override readonly name: string = 'OutOfPatience';
}

/**
 * What services do, as mysql2's own pool has no limit for the wait: they race it. Nothing takes
 * the caller out of the line, so its connection comes in the end, and goes straight back.
 */
export function withPatience(
  connecting: Promise<PoolConnection>,
  millis: number,
): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new OutOfPatience(`no connection within ${Math.round(millis)} ms`));
    }, millis);
    connecting.then(
      (connection) => {
        clearTimeout(timer);
        if (late) connection.release();
        else resolve(connection);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
