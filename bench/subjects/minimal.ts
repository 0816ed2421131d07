import { MinimalSemaphore } from '../minimal.ts';
import type { Call, Gate, GateOptions, Outcome, Subject } from './subject.ts';

export const minimal: Subject = {
  name: 'minimal',
  abilities: ['sync', 'timeout', 'abort', 'priority'],
  open: ({ timeoutMillis }: GateOptions): Gate => {
    const semaphore = new MinimalSemaphore(1, timeoutMillis);
    const release = (): void => semaphore.release();
    return {
      async turns(count) {
        for (let turn = 0; turn < count; turn++) {
          await semaphore.acquire();
          semaphore.release();
        }
      },
      turnsSync(count) {
        for (let turn = 0; turn < count; turn++) {
          if (semaphore.tryAcquire()) semaphore.release();
        }
      },
      async hold() {
        await semaphore.acquire();
        return release;
      },
      caller: (outcome) => caller(semaphore, outcome),
      ask: () => semaphore.acquire(),
    };
  },
};

/** It knows no priorities: everybody is served in the order in which they came. */
function caller(semaphore: MinimalSemaphore, outcome: Outcome): (call?: Call) => void {
  const served = (): void => {
    semaphore.release();
    outcome.served();
  };
  return (call) => {
    const { signal } = call ?? {};
    const acquired = signal
      ? acquireUntil(semaphore, signal)
      : semaphore.acquire(call?.timeoutMillis);
    acquired.then(served, outcome.refused);
  };
}

/** Signals are not its business; this is the least that has to be done around it. */
function acquireUntil(semaphore: MinimalSemaphore, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const waiter = semaphore.enqueue(resolve);
    const give = (): void => semaphore.cancel(waiter, signal.reason as Error);
    signal.addEventListener('abort', give, { once: true });
  });
}
