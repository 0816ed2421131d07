/**
 * Plays the workloads of a (scaled) scenario against one subject and counts what becomes of each
 * request. Knows nothing of databases, of runs or of objectives.
 */
import { poissonTimes, runArrivals, steadyTimes } from './arrivals.ts';
import { pause, type RehearsalClock } from './clock.ts';
import { percentiles, type Percentiles } from './percentiles.ts';
import { randomStream } from './random.ts';
import { holdIn, phaseAt, windowsOf } from './scenario.ts';
import type { ArrivalWorkload, Leak, Retry, Scenario } from './scenario.ts';
import type { Window, WorkerWorkload, Workload } from './scenario.ts';
import type { RehearsalLease, Subject } from './subject.ts';
import { Tally, type Loss } from './tally.ts';
import { doWork } from './work.ts';

export interface LoadOptions {
  readonly scenario: Scenario;
  readonly subject: Subject;
  readonly classify: (error: unknown) => Loss;
  /** Partitions whose workload stays away in this run. */
  readonly without: readonly string[];
  /** Of everything that is left to chance: the same seed, the same arrivals. */
  readonly seed: number;
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
}

export class Load {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly #options: LoadOptions;
  readonly #workloads: readonly Workload[];
  /** Actual minus intended arrival, of every arrival. */
  readonly #lags: number[] = [];
  /** What releases the connections that a worker has forgotten. */
  readonly #forgotten: (() => void)[] = [];
  #start = 0;

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
    this.#start = this.#options.clock.now();
    await Promise.all(
      this.#workloads.map((workload) =>
        workload.kind === 'arrivals' ? this.#playArrivals(workload) : this.#playWorkers(workload),
      ),
    );
    // Forgotten to the end of the run, and no longer: the pool is closed after it.
    for (const release of this.#forgotten) release();
  }

  /** How far the generator itself was behind its schedule. */
  lag(): Percentiles {
    return percentiles(this.#lags);
  }

  async #playArrivals(workload: ArrivalWorkload): Promise<void> {
    const { clock, signal } = this.#options;
    const tally = this.#tally(workload.partition);
    const unsettled = new Set<Promise<void>>();
    await runArrivals({
      clock,
      signal,
      times: this.#times(workload),
      onArrival: (intended) => {
        this.#lags.push(clock.now() - intended);
        const request = this.#answer(workload, tally, intended);
        unsettled.add(request);
        void request.finally(() => unsettled.delete(request));
      },
    });
    await Promise.all(unsettled);
  }

  /** The same in every run, whichever workloads stay away. */
  #times(workload: ArrivalWorkload): Iterable<number> {
    const { scenario, seed } = this.#options;
    const { partition, ratePerSecond, pattern } = workload;
    const windows = windowsOf(scenario, partition);
    const place = this.#place(workload);
    return pattern === 'poisson'
      ? poissonTimes(windows, ratePerSecond, this.#start, randomStream(seed, place))
      : steadyTimes(windows, ratePerSecond, this.#start, place / scenario.workloads.length);
  }

  #place({ partition }: Workload): number {
    return this.#options.scenario.workloads.findIndex((each) => each.partition === partition);
  }

  async #answer(workload: ArrivalWorkload, tally: Tally, since: number): Promise<void> {
    tally.offer();
    const lease = await this.#checkout(workload, tally);
    if (lease === undefined) return;
    const error = await this.#hold(lease, workload, tally, since);
    lease.release(error);
  }

  async #playWorkers(workload: WorkerWorkload): Promise<void> {
    const { scenario, seed } = this.#options;
    const windows = windowsOf(scenario, workload.partition);
    const workers = Array.from({ length: workload.workers }, async (_, index) => {
      const random = randomStream(seed, this.#place(workload), index);
      const forgets = forgetfulness(workload.leak, random);
      for (const window of windows) await this.#work(workload, window, forgets);
    });
    await Promise.all(workers);
  }

  async #work(workload: WorkerWorkload, window: Window, forgets: () => boolean): Promise<void> {
    const { clock, signal } = this.#options;
    await pause(clock, this.#start + window.fromMillis - clock.now(), signal);
    const end = this.#start + window.toMillis;
    while (clock.now() < end && !signal.aborted) {
      const gotOne = await this.#report(workload, end, forgets);
      if (gotOne) continue;
      await pause(clock, Math.min(workload.comeBackMillis, end - clock.now()), signal);
    }
  }

  /**
   * One connection, and reports on it until the end; only one report when it may be forgotten, and
   * where it takes a new lease for each.
   * False when there was no connection, or it broke.
   */
  async #report(workload: WorkerWorkload, end: number, forgets: () => boolean): Promise<boolean> {
    const { clock, signal, subject } = this.#options;
    const tally = this.#tally(workload.partition);
    let since = clock.now();
    tally.offer();
    const lease = await this.#checkout(workload, tally);
    if (lease === undefined) return false;
    // Once: an abort takes the connection away in mid-report, it must not wait for its end.
    const release = once((error?: Error) => lease.release(error));
    const cut = (): void => release(new Error('the rehearsal was interrupted'));
    signal.addEventListener('abort', cut, { once: true });
    let error = await this.#hold(lease, workload, tally, since);
    const oneOnly = subject.perOperation === true || workload.leak !== undefined;
    while (!oneOnly && error === undefined && !signal.aborted && clock.now() < end) {
      since = clock.now();
      tally.offer();
      tally.begin();
      error = await this.#hold(lease, workload, tally, since);
    }
    if (error === undefined && forgets()) {
      this.#forgotten.push(release);
      return true;
    }
    signal.removeEventListener('abort', cut);
    release(error);
    return error === undefined;
  }

  async #checkout(workload: Workload, tally: Tally): Promise<RehearsalLease | undefined> {
    const { partition } = workload;
    const { times, afterMillis } = retryOf(workload);
    const { subject, classify, clock, signal } = this.#options;
    for (let left = times; ; left--) {
      try {
        const holdMillis = this.#holdMillis(workload);
        const lease = await subject.checkout(partition, { holdMillis, signal });
        tally.begin();
        return lease;
      } catch (error) {
        const loss = classify(error);
        if (loss === 'failed' || left === 0 || signal.aborted) {
          tally.lose(loss, error, false);
          return undefined;
        }
      }
      tally.retry();
      await pause(clock, afterMillis, signal);
    }
  }

  /** After an abort a connection goes straight back, so that the line is gone in no time. */
  async #hold(
    lease: RehearsalLease,
    workload: Workload,
    tally: Tally,
    since: number,
  ): Promise<Error | undefined> {
    const { signal, clock } = this.#options;
    try {
      const holdMillis = this.#holdMillis(workload);
      if (!signal.aborted) await doWork(lease, { ...workload, holdMillis });
      tally.serve(clock.now() - since);
      return undefined;
    } catch (error) {
      tally.lose('failed', error, true);
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #holdMillis(workload: Workload): number {
    const { scenario, clock } = this.#options;
    return holdIn(phaseAt(scenario, clock.now() - this.#start), workload);
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

const onceOnly: Retry = { times: 0, afterMillis: 0 };

const retryOf = (workload: Workload): Retry =>
  (workload.kind === 'arrivals' ? workload.retry : undefined) ?? onceOnly;

/** Asked after each report: whether its connection is not given back. */
function forgetfulness(leak: Leak | undefined, random: () => number): () => boolean {
  if (leak === undefined) return () => false;
  const { share, afterReports } = leak;
  if (share !== undefined) return () => random() < share;
  let reports = 0;
  return () => ++reports % afterReports === 0;
}

function once<A>(call: (argument?: A) => void): (argument?: A) => void {
  let called = false;
  return (argument) => {
    if (called) return;
    called = true;
    call(argument);
  };
}
