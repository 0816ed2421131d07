import { onceWithin } from '../shared/limit.ts';
import type { TrackedConnection } from './connection.ts';

/**
 * Waits for statements that were not awaited, a COMMIT perhaps, and rolls back what they left open.
 * @param hurry cuts the wait short
 * @param done is told once, with an error when the connection did not come clean in time
 */
export function comeClean(
  connection: TrackedConnection,
  limitMillis: number,
  hurry: AbortSignal,
  done: (error?: Error) => void,
): void {
  const settle = onceWithin(limitMillis, 'the clean-up of a released connection', (error) => {
    hurry.removeEventListener('abort', onHurry);
    done(error);
  });
  const onHurry = (): void => settle(new Error('the pool ended'));
  hurry.addEventListener('abort', onHurry);
  if (hurry.aborted) onHurry();
  else connection.query('ROLLBACK', (error) => settle(error ?? undefined));
}
