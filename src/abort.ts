import type { Waiter } from './waiter.ts';

/** The calls that wait and that a signal would give up. */
const waiting = new WeakMap<AbortSignal, Calls>();

/**
 * One listener for all calls on a signal, which may be that of a shutdown and stand for any number
 * of them: Node looks through those that are there for each one that is added.
 */
export class Calls {
  readonly #signal: AbortSignal;
  readonly #all = new Set<Waiter>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    waiting.set(signal, this);
    signal.addEventListener('abort', this.#tell, { once: true });
  }

  add(waiter: Waiter): void {
    this.#all.add(waiter);
  }

  /** Leaves nothing behind on a signal that may outlive millions of calls (I9). */
  remove(waiter: Waiter): void {
    this.#all.delete(waiter);
    if (this.#all.size > 0 || !waiting.delete(this.#signal)) return;
    this.#signal.removeEventListener('abort', this.#tell);
  }

  // Whoever is told may settle others, who are then removed before it is their turn.
  readonly #tell = (): void => {
    waiting.delete(this.#signal);
    for (const waiter of this.#all) waiter.extras?.onAbort?.();
  };
}

/** Calls back when the caller's signal gives the call up. */
export function listen(waiter: Waiter, signal: AbortSignal, onAbort: () => void): void {
  const calls = waiting.get(signal) ?? new Calls(signal);
  const extras = waiter.withExtras();
  extras.calls = calls;
  extras.onAbort = onAbort;
  calls.add(waiter);
}

export function stopListening(waiter: Waiter): void {
  waiter.extras?.calls?.remove(waiter);
}
