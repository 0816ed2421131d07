/** Time as the load generator sees it. Monotonic milliseconds; tests put in their own. */
export interface RehearsalClock {
  now(): number;
  /** Calls back once, not before the delay is over. Returns what cancels it. */
  after(delayMillis: number, callback: () => void): () => void;
}

export const systemClock: RehearsalClock = {
  now: () => performance.now(),
  after(delayMillis, callback) {
    const timer = setTimeout(callback, delayMillis);
    return () => clearTimeout(timer);
  },
};

/** Resolves after the delay, or as soon as the signal is aborted; never rejects. */
export function pause(
  clock: RehearsalClock,
  delayMillis: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || delayMillis <= 0) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMillis, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
