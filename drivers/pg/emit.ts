import type { EventEmitter } from 'node:events';

/**
 * Runs code of the user's in the middle of ours. What it throws becomes an uncaught exception, as
 * it would in pg, but only after we have finished: no permit may be lost by it.
 */
export function callUser(fn: () => void): void {
  try {
    fn();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

/** Emits with `callUser`'s care; costs next to nothing when nobody listens. */
export function emit(emitter: EventEmitter, event: string, ...args: unknown[]): void {
  if (emitter.listenerCount(event) > 0) callUser(() => emitter.emit(event, ...args));
}
