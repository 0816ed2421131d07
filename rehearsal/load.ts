/**
 * Plays the workloads of a (scaled) scenario against one subject and counts what becomes of each
 * request. Knows nothing of databases, of runs or of objectives.
 */
import { runArrivals, steadyTimes } from './arrivals.ts';
import { pause, type RehearsalClock } from './clock.ts';
import { percentiles, type Percentiles } from './percentiles.ts';
import { windowsOf } from './scenario.ts';
import type { ArrivalWorkload, Scenario, Window, WorkerWorkload, Workload } from './scenario.ts';
import type { RehearsalLease, Subject } from './subject.ts';
import { Tally, type Loss } from './tally.ts';

export interface LoadOptions {
  readonly scenario: Scenario;
  readonly subject: Subject;
  readonly classify: (error: unknown) => Loss;
  /** Partitions whose workload stays away in this run. */
  readonly without: readonly string[];
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
}

export class Load {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly #options: LoadOptions;
  readonly #workloads: readonly Workload[];
  /** Actual minus intended arrival, of every arrival. */
  readonly #lags: number[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#workloads = options.scenario.workloads.filter(
      ({ partition }) => !options.without.includes(partition),
    );
    this.tallies = new Map(
      this.#workloads.map((workload) => [workload.partition, new Tally(answerWithin(workload))]),
    );
  }

  /** Resolves when every request that came has been settled, also after an abort. */
  async run(): Promise<void> {
    const start = this.#options.clock.now();
    await Promise.all(
      this.#workloads.map((workload, index) =>
        workload.kind === 'arrivals'
          ? this.#playArrivals(workload, start, index / this.#workloads.length)
          : this.#playWorkers(workload, start),
      ),
    );
  }

  /** How far the generator itself was behind its schedule. */
  lag(): Percentiles {
    return percentiles(this.#lags);
  }

  async #playArrivals(workload: ArrivalWorkload, start: number, phase: number): Promise<void> {
    const { clock, signal, scenario } = this.#options;
    const windows = windowsOf(scenario, workload.partition);
    const tally = this.#tally(workload.partition);
    const unsettled = new Set<Promise<void>>();
    await runArrivals({
      clock,
      signal,
      times: steadyTimes(windows, workload.ratePerSecond, start, phase),
      onArrival: (intended) => {
        this.#lags.push(clock.now() - intended);
        const request = this.#answer(workload, tally, intended);
        unsettled.add(request);
        void request.finally(() => unsettled.delete(request));
      },
    });
    await Promise.all(unsettled);
  }

  async #answer({ partition, holdMillis }: Workload, tally: Tally, since: number): Promise<void> {
    tally.offer();
    const lease = await this.#checkout(partition, tally);
    if (lease === undefined) return;
    const error = await this.#hold(lease, holdMillis, tally, since);
    lease.release(error);
  }

  async #playWorkers(workload: WorkerWorkload, start: number): Promise<void> {
    const windows = windowsOf(this.#options.scenario, workload.partition);
    const workers = Array.from({ length: workload.workers }, async () => {
      for (const window of windows) await this.#work(workload, window, start);
    });
    await Promise.all(workers);
  }

  async #work(workload: WorkerWorkload, window: Window, start: number): Promise<void> {
    const { clock, signal } = this.#options;
    await pause(clock, start + window.fromMillis - clock.now(), signal);
    const end = start + window.toMillis;
    while (clock.now() < end && !signal.aborted) {
      const gotOne = await this.#report(workload, end);
      if (gotOne) continue;
      await pause(clock, Math.min(workload.comeBackMillis, end - clock.now()), signal);
    }
  }

  /** One connection, and reports on it until the end. False when there was no connection, or it broke. */
  async #report({ partition, holdMillis }: WorkerWorkload, end: number): Promise<boolean> {
    const { clock, signal } = this.#options;
    const tally = this.#tally(partition);
    let since = clock.now();
    tally.offer();
    const lease = await this.#checkout(partition, tally);
    if (lease === undefined) return false;
    // Once: an abort takes the connection away in mid-report, it must not wait for its end.
    const release = once((error?: Error) => lease.release(error));
    const cut = (): void => release(new Error('the rehearsal was interrupted'));
    signal.addEventListener('abort', cut, { once: true });
    let error = await this.#hold(lease, holdMillis, tally, since);
    while (error === undefined && !signal.aborted && clock.now() < end) {
      since = clock.now();
      tally.offer();
      tally.begin();
      error = await this.#hold(lease, holdMillis, tally, since);
    }
    signal.removeEventListener('abort', cut);
    release(error);
    return error === undefined;
  }

  async #checkout(partition: string, tally: Tally): Promise<RehearsalLease | undefined> {
    const { subject, classify } = this.#options;
    try {
      const lease = await subject.checkout(partition);
      tally.begin();
      return lease;
    } catch (error) {
      tally.lose(classify(error), error, false);
      return undefined;
    }
  }

  /** After an abort a connection goes straight back, so that the line is gone in no time. */
  async #hold(
    lease: RehearsalLease,
    millis: number,
    tally: Tally,
    since: number,
  ): Promise<Error | undefined> {
    try {
      if (!this.#options.signal.aborted) await lease.hold(millis);
      tally.serve(this.#options.clock.now() - since);
      return undefined;
    } catch (error) {
      tally.lose('failed', error, true);
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #tally(partition: string): Tally {
    const tally = this.tallies.get(partition);
    if (tally === undefined) throw new Error(`no workload in partition ${partition}`);
    return tally;
  }
}

function answerWithin(workload: Workload): number | undefined {
  return workload.kind === 'arrivals' ? workload.answerWithinMillis : undefined;
}

function once<A>(call: (argument?: A) => void): (argument?: A) => void {
  let called = false;
  return (argument) => {
    if (called) return;
    called = true;
    call(argument);
  };
}
