import type { RehearsalClock } from '../../rehearsal/clock.ts';
import type { RehearsalLease, Subject } from '../../rehearsal/subject.ts';

/** So many connections for everybody, first come first served, and a log of what was done to them. */
export class FakeSubject implements Subject {
  readonly log: string[] = [];
  readonly #clock: RehearsalClock;
  readonly #connections: number;
  readonly #line: (() => void)[] = [];
  #inUse = 0;
  /** Refuses instead of queueing. */
  refuses = false;
  breaks = false;

  constructor(clock: RehearsalClock, connections: number) {
    this.#clock = clock;
    this.#connections = connections;
  }

  get inUse(): number {
    return this.#inUse;
  }

  async checkout(partition: string): Promise<RehearsalLease> {
    if (this.#inUse === this.#connections) {
      if (this.refuses) throw new Error('full');
      await new Promise<void>((resolve) => this.#line.push(resolve));
    } else {
      this.#inUse += 1;
    }
    this.log.push(`${partition} out ${this.#clock.now()}`);
    return this.#lease(partition);
  }

  warmUp(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #lease(partition: string): RehearsalLease {
    let cut: ((error: Error) => void) | undefined;
    return {
      hold: (millis) =>
        new Promise((resolve, reject) => {
          if (this.breaks) return reject(new Error('broken'));
          cut = reject;
          this.#clock.after(millis, resolve);
        }),
      run: (statement) => {
        this.log.push(`${partition} ${statement} ${this.#clock.now()}`);
        return this.breaks ? Promise.reject(new Error('broken')) : Promise.resolve();
      },
      release: (error) => {
        this.log.push(`${partition} in ${this.#clock.now()}${error ? ` (${error.message})` : ''}`);
        cut?.(new Error('cut off'));
        const next = this.#line.shift();
        if (next) next();
        else this.#inUse -= 1;
      },
    };
  }
}
