/**
 * The part of an `AbortSignal` that a partition uses, with its listeners counted. Much cheaper than
 * the real one, of which a property test would make hundreds of thousands.
 */
export class FakeSignal {
  aborted = false;
  reason: unknown = undefined;
  readonly #listeners = new Set<() => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) {
      this.#listeners.delete(listener);
      listener();
    }
  }

  /** As the partition takes it. */
  get signal(): AbortSignal {
    return this as unknown as AbortSignal;
  }
}
