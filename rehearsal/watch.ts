import { pause, type RehearsalClock } from './clock.ts';
import type { Witness } from './subject.ts';

export interface WatchOptions {
  readonly witness: Witness;
  readonly label: string;
  readonly ids?: ReadonlySet<number> | undefined;
  readonly everyMillis: number;
  readonly clock: RehearsalClock;
  /** The witness lost its connection; it is not asked again. */
  readonly onLost: (error: unknown) => void;
}

/** Asks the server again and again how many connections it counts, until `stop`. */
export class ConnectionWatch {
  #now = 0;
  #peak = 0;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;

  constructor(options: WatchOptions) {
    this.#watching = this.#watch(options);
  }

  /** The latest count. */
  get now(): number {
    return this.#now;
  }

  get peak(): number {
    return this.#peak;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch({ witness, label, ids, everyMillis, clock, onLost }: WatchOptions): Promise<void> {
    const { signal } = this.#stop;
    try {
      while (!signal.aborted) {
        this.#now = await witness.countConnections(label, ids);
        this.#peak = Math.max(this.#peak, this.#now);
        await pause(clock, everyMillis, signal);
      }
    } catch (error) {
      onLost(error);
    }
  }
}
