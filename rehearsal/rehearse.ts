/**
 * Rehearses an incident: the same load on the driver's own pool, and twice on the pool with
 * partitions, without what disturbs and with it. Writes nothing and ends nothing: a command, a test
 * or a service can call it.
 */
import { randomUUID } from 'node:crypto';
import { monthEnd } from '../scenarios/month-end.ts';
import { systemClock, type RehearsalClock } from './clock.ts';
import { RehearsalError } from './errors.ts';
import { judge } from './objectives.ts';
import type { Progress } from './progress.ts';
import { randomSeed } from './random.ts';
import { reportedPartitions } from './result.ts';
import type { Rehearsal, RunName, RunResult } from './result.ts';
import { playRun, type PlayedRun, type RunOptions } from './run.ts';
import { disturbs, isRandom, scalePartitions, scaleScenario } from './scenario.ts';
import type { RehearsedPartitions, Scenario } from './scenario.ts';
import { lagBounds, playOnSchedule, missedByLateness } from './schedule.ts';
import type { RehearsalDriver, Subject, Witness } from './subject.ts';

export interface RehearseOptions {
  readonly driver: RehearsalDriver;
  readonly url: string;
  /** @defaultValue `month-end` */
  readonly scenario?: Scenario;
  /** Machine time for one unit of the scenario's time. @defaultValue 0.1 */
  readonly timeScale?: number;
  /** Connections the pools may open. @defaultValue the scenario's */
  readonly max?: number;
  /** Durations in the scenario's time. @defaultValue the scenario's */
  readonly partitions?: RehearsedPartitions;
  /** From 0 to 2^32 - 1: the same seed, the same arrivals. @defaultValue a random one */
  readonly seed?: number;
  /** Ends the rehearsal early: it closes its connections and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** @defaultValue that of the machine */
  readonly clock?: RehearsalClock;
}

export const defaultTimeScale = 0.1;
/** Below this a hold is a few milliseconds, which neither timers nor servers can keep. */
export const leastTimeScale = 0.02;

type Settings = Required<Omit<RehearseOptions, 'scenario' | 'partitions'>> & {
  /** Both scaled. */
  readonly scenario: Scenario;
  readonly partitions: RehearsedPartitions;
};

/**
 * @throws `ERR_CONFIG` (every fault of the partitions at once), `ERR_REHEARSAL_OPTION`,
 * `ERR_CANNOT_CONNECT`, `ERR_TOO_FEW_CONNECTIONS`, `ERR_CONNECTION_LOST`, or the signal's reason.
 */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  const settings = settle(options);
  await checkPartitions(settings);
  const witness = await settings.driver.openWitness(settings.url);
  try {
    settings.onProgress({ kind: 'connected', server: witness.server });
    await checkRoom(witness, settings.max);
    return await playAll({ ...settings, url: witness.poolUrl ?? settings.url }, witness);
  } finally {
    // A witness whose connection was lost has nothing to close; the loss itself is reported elsewhere.
    await witness.close().catch(() => undefined);
  }
}

/**
 * What `rehearse` would refuse before it connects; with any well-formed URL.
 * @throws `ERR_CONFIG` or `ERR_REHEARSAL_OPTION`
 */
export async function checkRehearsal(options: RehearseOptions): Promise<void> {
  await checkPartitions(settle(options));
}

function settle(options: RehearseOptions): Settings {
  const timeScale = options.timeScale ?? defaultTimeScale;
  if (!(timeScale >= leastTimeScale && timeScale <= 1)) {
    throw new RehearsalError(
      'ERR_REHEARSAL_OPTION',
      `timeScale: expected a number from ${leastTimeScale} to 1, got ${timeScale}`,
    );
  }
  const scenario = options.scenario ?? monthEnd;
  return {
    driver: options.driver,
    url: options.url,
    timeScale,
    scenario: scaleScenario(scenario, timeScale),
    max: options.max ?? scenario.max,
    partitions: scalePartitions(options.partitions ?? scenario.partitions, timeScale),
    seed: options.seed ?? randomSeed(),
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => undefined),
    clock: options.clock ?? systemClock,
  };
}

/** By the same check as in a service, before anything is connected or started. */
async function checkPartitions(settings: Settings): Promise<void> {
  const { scenario, partitions } = settings;
  const wanted = scenario.workloads.map(({ partition }) => partition);
  const given = Object.keys(partitions);
  if (wanted.length !== given.length || !wanted.every((name) => given.includes(name))) {
    throw new RehearsalError(
      'ERR_REHEARSAL_OPTION',
      `partitions: scenario ${scenario.name} has ${wanted.join(', ')}, got ${given.join(', ')}`,
    );
  }
  await (await openPartitioned(settings, 'watertight check')).close();
}

function openPartitioned(
  { driver, url, max, partitions }: Settings,
  label: string,
): Subject | Promise<Subject> {
  return driver.openPartitioned({ url, label, max, partitions });
}

async function checkRoom(witness: Witness, max: number): Promise<void> {
  const { free, because } = await witness.room();
  if (free >= max) return;
  throw new RehearsalError(
    'ERR_TOO_FEW_CONNECTIONS',
    `the rehearsal needs ${max} connections, the server has ${Math.max(0, free)} left for it ` +
      `(${because} - 1 for the count)`,
  );
}

async function playAll(settings: Settings, witness: Witness): Promise<Rehearsal> {
  const { driver, max, partitions, timeScale, onProgress, scenario, seed } = settings;
  const { disturbance } = scenario;
  const runs: RunResult[] = [];
  const plans = plan(settings);
  for (const [index, each] of plans.entries()) {
    onProgress({ kind: 'run started', run: each.name, index, of: plans.length, disturbance });
    const run = await playOften(settings, witness, each);
    onProgress({ kind: 'run finished', run });
    runs.push(run);
  }
  const objectives = judge({ ...settings, runs });
  const isVoid = runs.some((run) => run.void) || missedByLateness(runs, objectives);
  return {
    scenario: scenario.name,
    disturbance,
    ...(isRandom(scenario) && { seed }),
    driver: driver.name,
    server: witness.server,
    timeScale,
    max,
    partitions: reportedPartitions(partitions),
    runs,
    objectives,
    void: isVoid,
    met: !isVoid && objectives.every((objective) => objective.met),
  };
}

function playOften(
  settings: Settings,
  witness: Witness,
  { name, without, open }: Plan,
): Promise<RunResult> {
  const { scenario, clock, onProgress } = settings;
  const bounds = lagBounds(scenario, name);
  const play = (): Promise<PlayedRun> => {
    const label = `watertight ${name} ${randomUUID().slice(0, 8)}`;
    return playRun({ ...settings, name, without, label, witness, open: () => open(label) });
  };
  const onLate = (lagMillis: number): void =>
    onProgress({
      kind: 'run repeated',
      run: name,
      lagMillis,
      boundMillis: bounds.lagBoundMillis,
    });
  return playOnSchedule({ play, bounds, clock, onLate });
}

interface Plan extends Pick<RunOptions, 'without'> {
  readonly name: RunName;
  readonly open: (label: string) => Subject | Promise<Subject>;
}

/** Shared first: it also warms up the process, so that baseline and partitioned find it alike. */
function plan(settings: Settings): Plan[] {
  const { driver, url, max, scenario } = settings;
  const { sharedAcquireTimeoutMillis: acquireTimeoutMillis } = scenario;
  const without = scenario.workloads.filter(disturbs).map(({ partition }) => partition);
  const partitioned = (label: string): ReturnType<typeof openPartitioned> =>
    openPartitioned(settings, label);
  return [
    {
      name: 'shared',
      without: [],
      open: (label) => driver.openShared({ url, label, max, acquireTimeoutMillis }),
    },
    { name: 'baseline', without, open: partitioned },
    { name: 'partitioned', without: [], open: partitioned },
  ];
}
