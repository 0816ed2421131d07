// Semaphores, and limiters that run a function.
import { Semaphore } from '@shopify/semaphore';
import { Sema } from 'async-sema';
import { bulkhead } from 'cockatiel';
import pLimit from 'p-limit';
import PQueue from 'p-queue';
import type { Gate, Outcome, Subject } from './subject.ts';

const nothing = (): undefined => undefined;

export const asyncSema: Subject = {
  name: 'async-sema',
  abilities: ['sync'],
  open() {
    const semaphore = new Sema(1);
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
          if (semaphore.tryAcquire() !== undefined) semaphore.release();
        }
      },
      async hold() {
        await semaphore.acquire();
        return release;
      },
      caller({ served, refused }) {
        const acquired = (): void => {
          semaphore.release();
          served();
        };
        return () => void semaphore.acquire().then(acquired, refused);
      },
      ask: () => semaphore.acquire(),
    };
  },
};

type Permit = Awaited<ReturnType<Semaphore['acquire']>>;

export const shopifySemaphore: Subject = {
  name: '@shopify/semaphore',
  abilities: [],
  open() {
    const semaphore = new Semaphore(1);
    return {
      async turns(count) {
        for (let turn = 0; turn < count; turn++) {
          const permit = await semaphore.acquire();
          void permit.release();
        }
      },
      async hold() {
        const permit = await semaphore.acquire();
        return () => void permit.release();
      },
      caller({ served, refused }) {
        const acquired = (permit: Permit): void => {
          void permit.release();
          served();
        };
        return () => void semaphore.acquire().then(acquired, refused);
      },
      ask: () => semaphore.acquire(),
    };
  },
};

/** They have no acquire: a caller is a function that does nothing. */
type Run = (
  fn: () => unknown,
  options: { signal?: AbortSignal; priority?: number } | undefined,
) => Promise<unknown>;

export const cockatiel: Subject = {
  name: 'cockatiel',
  abilities: [],
  open() {
    const policy = bulkhead(1, Infinity);
    return gateOf((fn) => policy.execute(fn));
  },
};

export const limit: Subject = {
  name: 'p-limit',
  abilities: [],
  open() {
    const run = pLimit(1);
    return gateOf((fn) => run(fn));
  },
};

export const queue: Subject = {
  name: 'p-queue',
  abilities: ['abort', 'priority'],
  open() {
    const line = new PQueue({ concurrency: 1 });
    return gateOf((fn, options) => line.add(fn, options));
  },
};

function gateOf(run: Run): Gate {
  return {
    async turns(count) {
      for (let turn = 0; turn < count; turn++) await run(nothing, undefined);
    },
    hold: () =>
      new Promise((held) => {
        void run(() => new Promise<void>((release) => held(release)), undefined);
      }),
    caller: (outcome: Outcome) => (call) => {
      void run(nothing, call).then(outcome.served, outcome.refused);
    },
    ask: () => run(nothing, undefined),
  };
}
