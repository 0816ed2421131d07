import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof signals)[number];

/** The reason of an abort by a signal. */
export class Interrupted extends Error {
  override readonly name: string = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: Signal) {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

export interface InterruptHooks {
  readonly onFirst: (signal: Signal) => void;
  /** The second time there is no waiting for anything but this. */
  readonly onSecond: () => Promise<void>;
}

/**
 * The first Ctrl-C lets the rehearsal close what it opened and end by itself, the second one only
 * takes the server away. Either way the exit code is that of the signal.
 */
export class Interrupts {
  readonly #abort = new AbortController();
  readonly #hooks: InterruptHooks;

  constructor(hooks: InterruptHooks) {
    this.#hooks = hooks;
    for (const signal of signals) process.on(signal, this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  stop(): void {
    for (const signal of signals) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: Signal): void => {
    if (!this.#abort.signal.aborted) {
      this.#hooks.onFirst(signal);
      this.#abort.abort(new Interrupted(signal));
      return;
    }
    const { exitCode } = new Interrupted(signal);
    const leave = (): void => process.exit(exitCode);
    this.#hooks.onSecond().then(leave, leave);
  };
}
