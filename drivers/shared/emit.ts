import type { EventEmitter } from 'node:events';
import { callUser } from '../../src/call-user.ts';

/** Emits with `callUser`'s care. */
export function emit(emitter: EventEmitter, event: string, ...args: unknown[]): void {
  if (emitter.listenerCount(event) > 0) callUser(() => emitter.emit(event, ...args));
}
