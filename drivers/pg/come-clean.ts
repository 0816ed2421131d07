import { inTransaction, isBusy, type TrackedClient } from './client.ts';
import { onceWithin } from '../shared/limit.ts';

/**
 * Waits for queries that were not awaited, a COMMIT perhaps, then rolls back what is still open.
 * @param hurry cuts the wait short
 * @param done is told once, with an error when the client did not come clean in time
 */
export function comeClean(
  client: TrackedClient,
  limitMillis: number,
  hurry: AbortSignal,
  done: (error?: Error) => void,
): void {
  const settle = onceWithin(limitMillis, 'the clean-up of a released client', (error) => {
    client.removeListener('drain', onDrain);
    client.removeListener('end', onEnd);
    hurry.removeEventListener('abort', onHurry);
    done(error);
  });
  const rollBack = (): void => {
    client.query('ROLLBACK').then(
      () => settle(),
      (error: Error) => settle(error),
    );
  };
  const onDrain = (): void => {
    client.removeListener('drain', onDrain);
    if (inTransaction(client)) rollBack();
    else settle();
  };
  const onEnd = (): void => settle(new Error('the connection ended'));
  const onHurry = (): void => settle(new Error('the pool ended'));
  hurry.addEventListener('abort', onHurry);
  client.once('end', onEnd);
  if (hurry.aborted) onHurry();
  else if (isBusy(client)) client.on('drain', onDrain);
  else rollBack();
}
