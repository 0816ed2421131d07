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
}

/** Requests that come at their times however slow the answers are (open loop). */
export interface ArrivalWorkload {
  readonly kind: 'arrivals';
  readonly partition: string;
  readonly ratePerSecond: number;
  /** How long one request keeps its connection busy, on the server. */
  readonly holdMillis: number;
  /** An answer that comes later than this, counted from the intended arrival, is late. */
  readonly answerWithinMillis: number;
}

/** Workers that check out one connection each and run reports on it, one after the other. */
export interface WorkerWorkload {
  readonly kind: 'workers';
  readonly partition: string;
  readonly workers: number;
  readonly holdMillis: number;
  /** How long a worker that got no connection stays away. */
  readonly comeBackMillis: number;
}

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

export interface Scenario {
  readonly name: string;
  readonly phases: readonly Phase[];
  readonly workloads: readonly Workload[];
  /** How long a caller of the undivided pool waits for a connection. */
  readonly sharedAcquireTimeoutMillis: number;
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

/** Stretch of machine time, relative to the start of the run. */
export interface Window {
  readonly fromMillis: number;
  readonly toMillis: number;
}

export function scaleScenario(scenario: Scenario, scale: number): Scenario {
  return {
    ...scenario,
    phases: scenario.phases.map((phase) => ({
      ...phase,
      durationMillis: phase.durationMillis * scale,
    })),
    workloads: scenario.workloads.map((workload) => scaleWorkload(workload, scale)),
    sharedAcquireTimeoutMillis: scenario.sharedAcquireTimeoutMillis * scale,
  };
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
  };
}

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
