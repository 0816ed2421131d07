/** Plays one run: warm connections, the load, the server's count beside it, and nothing left behind. */
import { setMaxListeners } from 'node:events';
import { pause, type RehearsalClock } from './clock.ts';
import { isRehearsalError } from './errors.ts';
import { connectionLost } from './failures.ts';
import { Load } from './load.ts';
import type { Progress, Tick } from './progress.ts';
import type { RunName, RunResult } from './result.ts';
import { phaseAt, totalMillis, type Scenario } from './scenario.ts';
import type { RehearsalDriver, Subject, Witness } from './subject.ts';
import type { Loss } from './tally.ts';
import { recordTimeline, type Timeline } from './timeline.ts';
import { ConnectionWatch } from './watch.ts';

const countEveryMillis = 25;
const tickEveryMillis = 100;

export interface RunOptions {
  readonly name: RunName;
  readonly url: string;
  readonly label: string;
  /** Scaled. */
  readonly scenario: Scenario;
  readonly without: readonly string[];
  readonly seed: number;
  readonly driver: RehearsalDriver;
  readonly witness: Witness;
  readonly open: () => Subject | Promise<Subject>;
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export type PlayedRun = Pick<
  RunResult,
  'name' | 'partitions' | 'serverPeak' | 'arrivalLagMillis' | 'timeline'
>;

/** @throws the signal's reason when it is aborted, and when the server went away. */
export async function playRun(options: RunOptions): Promise<PlayedRun> {
  const { driver, witness, label, clock } = options;
  const subject = await options.open();
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  // Every worker listens; there may be as many as the scenario wants.
  setMaxListeners(0, signal);
  const watch = new ConnectionWatch({
    witness,
    label,
    ids: subject.connectionIds,
    clock,
    everyMillis: countEveryMillis,
    onLost: (error) => lost.abort(connectionLost(error)),
  });
  try {
    await subject.warmUp().catch((error: unknown) => {
      throw isRehearsalError(error) ? error : driver.cannotConnect(error, options.url);
    });
    signal.throwIfAborted();
    const classify = (error: unknown): Loss => driver.classify(error);
    const load = new Load({ ...options, subject, signal, classify });
    const timeline = await playAndWatch(options, load, watch);
    signal.throwIfAborted();
    return resultOf(options.name, load, watch, timeline);
  } finally {
    await watch.stop();
    await subject.close();
  }
}

async function playAndWatch(
  options: RunOptions,
  load: Load,
  watch: ConnectionWatch,
): Promise<Timeline> {
  const done = new AbortController();
  const ticking = tick(options, load, watch, done.signal);
  const timeline = recordTimeline({
    ...options,
    tallies: load.tallies,
    connections: () => watch.now,
    done: done.signal,
  });
  try {
    await load.run();
  } finally {
    done.abort();
    await Promise.all([ticking, timeline]);
  }
  return timeline;
}

async function tick(
  { clock, onProgress, scenario, name }: RunOptions,
  load: Load,
  watch: ConnectionWatch,
  done: AbortSignal,
): Promise<void> {
  const start = clock.now();
  const total = totalMillis(scenario);
  while (!done.aborted) {
    const elapsed = clock.now() - start;
    const state: Tick = {
      run: name,
      phase: elapsed < total ? (phaseAt(scenario, elapsed)?.name ?? '') : 'draining',
      elapsedMillis: elapsed,
      totalMillis: total,
      connections: watch.now,
      partitions: mapValues(load.tallies, (tally) => tally.progress()),
    };
    onProgress({ kind: 'tick', ...state });
    await pause(clock, tickEveryMillis, done);
  }
}

function resultOf(
  name: RunName,
  load: Load,
  watch: ConnectionWatch,
  timeline: Timeline,
): PlayedRun {
  return {
    name,
    partitions: mapValues(load.tallies, (tally) => tally.result()),
    serverPeak: watch.peak,
    arrivalLagMillis: load.lag(),
    timeline,
  };
}

function mapValues<V, R>(map: ReadonlyMap<string, V>, of: (value: V) => R): Record<string, R> {
  return Object.fromEntries([...map].map(([key, value]) => [key, of(value)]));
}
