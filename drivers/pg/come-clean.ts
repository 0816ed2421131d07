import { inTransaction, isBusy, type TrackedClient } from './client.ts';

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
  let settled = false;
  const settle = (error?: Error): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    client.removeListener('drain', onDrain);
    client.removeListener('end', onEnd);
    hurry.removeEventListener('abort', onLimit);
    done(error);
  };
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
  const onLimit = (): void => settle(new Error('still busy long after its release'));
  const timer = setTimeout(onLimit, limitMillis);
  hurry.addEventListener('abort', onLimit);
  client.once('end', onEnd);
  if (hurry.aborted) onLimit();
  else if (isBusy(client)) client.on('drain', onDrain);
  else rollBack();
}
