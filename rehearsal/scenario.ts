/**
 * What a rehearsal plays: phases, and the workloads that run in them.
 *
 * A scenario is written in the time of the shop. `scaleScenario` turns it into the time of the
 * machine: every duration and deadline times the scale, every rate divided by it, so that the
 * number of connections the load needs (rate times hold) stays exactly the same.
 */
export interface Phase {
  readonly name: string;
  readonly durationMillis: number;
  /** Partitions whose workload runs in this phase. */
  readonly partitions: readonly string[];
  /** Holds that are other ones in this phase, by partition: a plan that has gone bad. */
  readonly holdMillis?: Readonly<Record<string, number>>;
}

/** Statements that are run one after the other, in their own time, instead of a sleep. */
export type Sql = string | readonly string[];

/** Requests that come at their times however slow the answers are (open loop). */
export interface ArrivalWorkload {
  readonly kind: 'arrivals';
  readonly partition: string;
  readonly ratePerSecond: number;
  /** How long one request keeps its connection busy, on the server. With `sql`, what that is expected to take. */
  readonly holdMillis: number;
  /** An answer that comes later than this, counted from the intended arrival, is late. */
  readonly answerWithinMillis: number;
  /** Evenly spaced, or independent of each other as those of many callers are. @defaultValue `steady` */
  readonly pattern?: 'steady' | 'poisson';
  readonly retry?: Retry;
  /**
   * It is what goes wrong: run `baseline` is played without it, and nothing is promised to it.
   * @defaultValue false
   */
  readonly disturbs?: boolean;
  readonly sql?: Sql;
  readonly limits?: Partial<Pick<Limits, ArrivalLimit>>;
}

/** A caller that was refused or timed out comes again. It is counted once, with what becomes of it in the end. */
export interface Retry {
  /** 0 comes again at once. */
  readonly afterMillis: number;
  /** At most so many times after the first. */
  readonly times: number;
}

/** Workers that check out one connection each and run reports on it, one after the other. They always disturb. */
export interface WorkerWorkload {
  readonly kind: 'workers';
  readonly partition: string;
  readonly workers: number;
  /** How long one report takes. With `sql`, what that is expected to take. */
  readonly holdMillis: number;
  /** How long a worker that got no connection stays away. */
  readonly comeBackMillis: number;
  readonly leak?: Leak;
  /** Each report is a transaction of several statements on its connection. @defaultValue false */
  readonly transaction?: boolean;
  readonly sql?: Sql;
  readonly limits?: Partial<Pick<Limits, WorkerLimit>>;
}

/** A worker checks out a connection for each report, and does not give every one of them back. */
export type Leak =
  /** After this share of the reports, by chance. */
  | { readonly share: number; readonly afterReports?: never }
  /** After every so many reports of a worker. */
  | { readonly afterReports: number; readonly share?: never };

export type Workload = ArrivalWorkload | WorkerWorkload;

/** What must come out. Shares and ratios, so that they do not depend on the scale. */
export interface Limits {
  /** Least share of requests answered in time in run `partitioned`. */
  readonly answeredInTime: number;
  /** p99 of run `partitioned` divided by the p99 of run `baseline`: at most this. */
  readonly p99AgainstBaseline: number;
  /** Least share of the reports that a partition's own `size` can run in the time. */
  readonly guaranteedReports: number;
  /** Run `shared` reproduces the incident when less than this share is answered in time. */
  readonly starvedBelow: number;
}

export type ArrivalLimit = 'answeredInTime' | 'p99AgainstBaseline' | 'starvedBelow';
export type WorkerLimit = 'guaranteedReports';

export const defaultLimits: Limits = {
  answeredInTime: 0.999,
  p99AgainstBaseline: 1.2,
  guaranteedReports: 0.9,
  starvedBelow: 0.5,
};

export const defaultSharedAcquireTimeoutMillis = 60_000;

/** The same in code and, with the defaults filled in, from a file. Durations in the time of the shop. */
export interface Scenario {
  readonly name: string;
  /** What it teaches, in a sentence or two. */
  readonly description: string;
  /** What goes wrong, a plural that can follow "no" and "the": `reports`. */
  readonly disturbance: string;
  /** Connections the pool may open. */
  readonly max: number;
  readonly partitions: RehearsedPartitions;
  readonly phases: readonly Phase[];
  /** One for each partition. */
  readonly workloads: readonly Workload[];
  /** How long a caller of the undivided pool waits for a connection. */
  readonly sharedAcquireTimeoutMillis: number;
  /** For every partition whose workload has none of its own. */
  readonly limits: Limits;
}

/** A share of the pool as it is rehearsed; the options of a partition that matter here. */
export interface RehearsedPartition {
  readonly size: number;
  readonly max?: number;
  readonly acquireTimeoutMillis?: number;
  readonly maxWaiting?: number;
}

export type RehearsedPartitions = Readonly<Record<string, RehearsedPartition>>;

/** Whether it is left out of run `baseline`, and promised nothing but its share. */
export const disturbs = (workload: Workload): boolean =>
  workload.kind === 'workers' || workload.disturbs === true;

/** Whether it takes a seed to play it again in the same way. */
export const isRandom = ({ workloads }: Scenario): boolean =>
  workloads.some((workload) =>
    workload.kind === 'arrivals'
      ? workload.pattern === 'poisson'
      : workload.leak?.share !== undefined,
  );

/** Stretch of machine time, relative to the start of the run. */
export interface Window {
  readonly fromMillis: number;
  readonly toMillis: number;
}

export function scaleScenario(scenario: Scenario, scale: number): Scenario {
  return {
    ...scenario,
    partitions: scalePartitions(scenario.partitions, scale),
    phases: scenario.phases.map((phase) => scalePhase(phase, scale)),
    workloads: scenario.workloads.map((workload) => scaleWorkload(workload, scale)),
    sharedAcquireTimeoutMillis: scenario.sharedAcquireTimeoutMillis * scale,
  };
}

function scalePhase({ holdMillis, ...phase }: Phase, scale: number): Phase {
  const scaled = { ...phase, durationMillis: phase.durationMillis * scale };
  if (holdMillis === undefined) return scaled;
  const holds = Object.entries(holdMillis).map(([name, millis]) => [name, millis * scale]);
  return { ...scaled, holdMillis: Object.fromEntries(holds) as Record<string, number> };
}

function scaleWorkload(workload: Workload, scale: number): Workload {
  const holdMillis = workload.holdMillis * scale;
  if (workload.kind === 'workers') {
    return { ...workload, holdMillis, comeBackMillis: workload.comeBackMillis * scale };
  }
  return {
    ...workload,
    holdMillis,
    ratePerSecond: workload.ratePerSecond / scale,
    answerWithinMillis: workload.answerWithinMillis * scale,
    ...(workload.retry && { retry: scaleRetry(workload.retry, scale) }),
  };
}

const scaleRetry = ({ afterMillis, times }: Retry, scale: number): Retry => ({
  afterMillis: afterMillis * scale,
  times,
});

export function scalePartitions(
  partitions: RehearsedPartitions,
  scale: number,
): RehearsedPartitions {
  return Object.fromEntries(
    Object.entries(partitions).map(([name, { acquireTimeoutMillis, ...rest }]) => [
      name,
      // A whole number of milliseconds: timers know nothing finer. 0 stays 0, "refuse at once".
      acquireTimeoutMillis === undefined
        ? rest
        : { ...rest, acquireTimeoutMillis: Math.ceil(acquireTimeoutMillis * scale) },
    ]),
  );
}

export function totalMillis(scenario: Scenario): number {
  return scenario.phases.reduce((sum, phase) => sum + phase.durationMillis, 0);
}

/** The stretches in which a partition's workload runs; neighbouring phases are joined. */
export function windowsOf(scenario: Scenario, partition: string): Window[] {
  const windows: Window[] = [];
  let at = 0;
  for (const phase of scenario.phases) {
    const window = { fromMillis: at, toMillis: at + phase.durationMillis };
    at = window.toMillis;
    if (!phase.partitions.includes(partition)) continue;
    const last = windows.at(-1);
    if (last?.toMillis === window.fromMillis) windows.splice(-1, 1, joined(last, window));
    else windows.push(window);
  }
  return windows;
}

const joined = (first: Window, second: Window): Window => ({
  fromMillis: first.fromMillis,
  toMillis: second.toMillis,
});

/** The phase that is on after so many milliseconds; the last one stays on. */
export function phaseAt(scenario: Scenario, elapsedMillis: number): Phase | undefined {
  let end = 0;
  for (const phase of scenario.phases) {
    end += phase.durationMillis;
    if (elapsedMillis < end) return phase;
  }
  return scenario.phases.at(-1);
}

/** How long a request that begins in this phase keeps its connection. */
export const holdIn = (phase: Phase | undefined, { partition, holdMillis }: Workload): number =>
  phase?.holdMillis?.[partition] ?? holdMillis;
