import {
  DEFAULT_ACQUIRE_TIMEOUT_MILLIS,
  resolveInto,
  type Faults,
  type PartitionDefaults,
  type PartitionsConfig,
  type ResolvedConfig,
} from '../../src/config.ts';
import { nearest } from '../../src/nearest.ts';

/** How the connections of a pool are divided: the options that every driver has. */
export interface DivisionOptions<Name extends string = string> extends PartitionDefaults {
  /**
   * The partitions by name; a number is short for `{ size }`.
   * @defaultValue one partition `default` with all connections
   */
  partitions?: PartitionsConfig<Name> | undefined;
  /**
   * Where calls on the pool itself go outside `runIn`. Without it they fail with
   * `ERR_NO_PARTITION`.
   */
  defaultPartition?: NoInfer<Name> | undefined;
}

export interface ResolvedDivision extends ResolvedConfig {
  readonly defaultPartition: string | undefined;
  /** No partitions were given: one partition holds everything and `runIn` has no choice to make. */
  readonly undivided: boolean;
}

/** What a driver calls the capacity of its pool. */
export interface Capacity {
  /** The driver's own name for it, for messages. */
  readonly option: string;
  readonly given: unknown;
  /** The driver's own default, for a pool without partitions. */
  readonly fallback: number;
}

/** The names of `DivisionOptions`. */
export const DIVISION_OPTIONS: readonly string[] = [
  'partitions',
  'defaultPartition',
  'acquireTimeoutMillis',
  'maxWaiting',
];

const UNDIVIDED = 'default';

export function resolveDivision(
  given: DivisionOptions,
  capacity: Capacity,
  faults: Faults,
): ResolvedDivision {
  const undivided = given.partitions === undefined;
  const resolved = resolveInto(faults, partitionConfig(given, capacity), capacity.option);
  checkDefault(given.defaultPartition, resolved, faults);
  return {
    ...resolved,
    undivided,
    defaultPartition: undivided ? UNDIVIDED : given.defaultPartition,
  };
}

/** The partitioner's part of the options, under its own names. */
function partitionConfig(
  { partitions, acquireTimeoutMillis, maxWaiting }: DivisionOptions,
  { given, fallback }: Capacity,
): Record<string, unknown> {
  if (partitions !== undefined) return { max: given, partitions, acquireTimeoutMillis, maxWaiting };
  const max = given ?? fallback;
  const size = Number.isInteger(max) && (max as number) > 0 ? max : 1;
  return {
    max,
    partitions: { [UNDIVIDED]: size },
    acquireTimeoutMillis,
    // A plain drop-in: existing programs may have any number of callers in line.
    maxWaiting: maxWaiting ?? Infinity,
  };
}

function checkDefault(name: unknown, { partitions }: ResolvedConfig, faults: Faults): void {
  if (name === undefined || partitions.length === 0) return;
  const names = partitions.map((partition) => partition.name);
  if (!names.includes(name as string)) {
    faults.add('defaultPartition', `expected one of ${names.join(', ')}`, name);
  }
}

/**
 * The longest a dial, a hook or a clean-up may keep a permit: twice the longest patience of a
 * caller. A dial that its caller gave up still serves the next one, so a slow server is reached all
 * the same; a silent one must not keep permits for ever.
 * @param connectTimeoutMillis the driver's own limit of a connect, when its user gave one
 */
export function limitMillis(
  connectTimeoutMillis: number | undefined,
  { partitions }: ResolvedConfig,
): number {
  const patience = partitions.map((partition) => partition.acquireTimeoutMillis);
  return 2 * Math.max(connectTimeoutMillis ?? DEFAULT_ACQUIRE_TIMEOUT_MILLIS, ...patience);
}

/** Drivers ignore options that they do not know; one that was meant for us must not vanish. */
export function checkSpelling(
  given: object,
  own: readonly string[],
  stock: readonly string[],
  faults: Faults,
): void {
  for (const key of Object.keys(given)) {
    if (own.includes(key) || stock.includes(key)) continue;
    const meant = nearest(key, own);
    if (meant) faults.add(key, `unknown option; did you mean '${meant}'?`);
  }
}

/** Copied by descriptors, since drivers hide the password from enumeration. */
export function without<T extends object>(options: T, own: readonly string[]): T {
  const descriptors = Object.getOwnPropertyDescriptors(options) as PropertyDescriptorMap;
  for (const key of own) delete descriptors[key];
  return Object.defineProperties({}, descriptors) as T;
}
