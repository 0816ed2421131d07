import { setMaxListeners } from 'node:events';
import type { Waiter } from './waiter.ts';

/** Calls back when the caller's signal gives the call up. */
export function listen(waiter: Waiter, signal: AbortSignal, onAbort: () => void): void {
  // One signal may give up any number of calls, as for a shutdown; Node 20 would warn of a leak.
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  const extras = waiter.withExtras();
  extras.signal = signal;
  extras.onAbort = onAbort;
  signal.addEventListener('abort', onAbort, { once: true });
}

/** Leaves nothing behind on a signal that may outlive millions of calls (I9). */
export function stopListening({ extras }: Waiter): void {
  if (!extras?.onAbort) return;
  extras.signal?.removeEventListener('abort', extras.onAbort);
  extras.signal = undefined;
  extras.onAbort = undefined;
}
