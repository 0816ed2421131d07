import { ConfigError, type Fault } from './errors.ts';
import { nearest } from './nearest.ts';

/** One partition's options, the same for every driver. */
export interface PartitionOptions {
  /** Permits guaranteed to the partition: an integer from 0 up. */
  size: number;
  /**
   * The most it may hold, own and unreserved together: from `size` to the pool's `max`.
   * @defaultValue `size`, which makes the partition a wall in both directions
   */
  max?: number | undefined;
  /**
   * Milliseconds from the call until it rejects with `ERR_ACQUIRE_TIMEOUT`: 0 to 30000. One
   * deadline for the line, the connect and any reset. 0 never waits in line.
   * @defaultValue 2000
   */
  acquireTimeoutMillis?: number | undefined;
  /**
   * Callers that may stand in line; one more rejects with `ERR_PARTITION_FULL`. 0 never queues,
   * `Infinity` always does.
   * @defaultValue 100
   */
  maxWaiting?: number | undefined;
}

/** Partitions by name; a number is short for `{ size }`. */
export type PartitionsConfig<Name extends string = string> = Readonly<
  Record<Name, number | PartitionOptions>
>;

/** Defaults for every partition that does not say otherwise. */
export interface PartitionDefaults {
  acquireTimeoutMillis?: number | undefined;
  maxWaiting?: number | undefined;
}

export interface ResolvedDefaults {
  readonly acquireTimeoutMillis: number;
  readonly maxWaiting: number;
}

export interface ResolvedPartition {
  readonly name: string;
  readonly size: number;
  readonly max: number;
  readonly acquireTimeoutMillis: number;
  readonly maxWaiting: number;
}

export interface ResolvedConfig {
  readonly defaults: ResolvedDefaults;
  readonly max: number;
  readonly partitions: readonly ResolvedPartition[];
}

export const DEFAULT_ACQUIRE_TIMEOUT_MILLIS = 2000;
/** A caller that waits longer than this hides an outage; 60 s waits are what the walls are for. */
export const MAX_ACQUIRE_TIMEOUT_MILLIS = 30_000;
export const DEFAULT_MAX_WAITING = 100;

const TOP_OPTIONS = ['max', 'partitions', 'acquireTimeoutMillis', 'maxWaiting'] as const;
const OPTIONS = ['size', 'max', 'acquireTimeoutMillis', 'maxWaiting'] as const;

/** Collects what is wrong, so that all of it is reported at once. */
export class Faults {
  readonly #list: Fault[] = [];

  add(path: string, rule: string, ...got: unknown[]): void {
    this.#list.push(got.length === 0 ? { path, rule } : { path, rule, got: got[0] });
  }

  get list(): readonly Fault[] {
    return this.#list;
  }

  integer(path: string, value: unknown, from: number): number | undefined {
    if (Number.isInteger(value) && (value as number) >= from) return value as number;
    this.add(path, `expected an integer from ${from} up`, value);
    return undefined;
  }

  lineLength(path: string, value: unknown): number | undefined {
    return value === Infinity ? Infinity : this.integer(path, value, 0);
  }

  timeout(path: string, value: unknown): number | undefined {
    if (typeof value === 'number' && value >= 0 && value <= MAX_ACQUIRE_TIMEOUT_MILLIS) {
      return value;
    }
    this.add(
      path,
      `expected milliseconds from 0 to ${MAX_ACQUIRE_TIMEOUT_MILLIS} (waiting longer, or for ever, hides an outage)`,
      value,
    );
    return undefined;
  }

  unknownKeys(path: string, given: object, known: readonly string[]): void {
    for (const key of Object.keys(given)) {
      if (known.includes(key)) continue;
      const near = nearest(key, known);
      const hint = near ? `did you mean '${near}'?` : `there are ${known.join(', ')}`;
      this.add(path === '' ? key : `${path}.${key}`, `unknown option; ${hint}`);
    }
  }

  /** @throws `ERR_CONFIG` with every fault collected, if there is one. */
  throwIfAny(): void {
    if (this.#list.length > 0) throw new ConfigError(this.#list);
  }
}

/**
 * Checks a configuration and fills in the defaults.
 * @throws `ERR_CONFIG` with all faults at once.
 */
export function resolveConfig(given: unknown): ResolvedConfig {
  const faults = new Faults();
  const config = resolveInto(faults, given);
  faults.throwIfAny();
  return config;
}

/**
 * As `resolveConfig`, for a driver that has faults of its own to report with these.
 * @param capacityOption what its users call `max`
 */
export function resolveInto(
  faults: Faults,
  given: unknown,
  capacityOption = 'max',
): ResolvedConfig {
  if (!isPlainObject(given)) {
    faults.add('options', 'expected an object with partitions', given);
    return { max: 0, partitions: [], defaults: { acquireTimeoutMillis: 0, maxWaiting: 0 } };
  }
  faults.unknownKeys('', given, TOP_OPTIONS);
  const defaults = resolveDefaults(given, faults);
  const partitions = resolvePartitions(given['partitions'], defaults, faults);
  const max =
    given['max'] === undefined
      ? undefined
      : (faults.integer(capacityOption, given['max'], 1) ?? NaN);
  const sum = partitions.reduce((total, { size }) => total + size, 0);
  checkTotals(partitions, { option: capacityOption, max, sum }, faults);
  return { defaults, max: max ?? sum, partitions };
}

function resolvePartitions(
  given: unknown,
  defaults: ResolvedDefaults,
  faults: Faults,
): ResolvedPartition[] {
  if (!isPlainObject(given)) {
    faults.add('partitions', 'expected an object of partitions by name', given);
    return [];
  }
  const entries = Object.entries(given);
  if (entries.length === 0) faults.add('partitions', 'expected at least one partition');
  return entries.map(([name, options]) => resolvePartition(name, options, defaults, faults));
}

function resolveDefaults(given: PartitionDefaults, faults: Faults): ResolvedDefaults {
  const {
    acquireTimeoutMillis = DEFAULT_ACQUIRE_TIMEOUT_MILLIS,
    maxWaiting = DEFAULT_MAX_WAITING,
  } = given;
  return {
    acquireTimeoutMillis: faults.timeout('acquireTimeoutMillis', acquireTimeoutMillis) ?? 0,
    maxWaiting: faults.lineLength('maxWaiting', maxWaiting) ?? 0,
  };
}

export function resolvePartition(
  name: string,
  given: unknown,
  defaults: ResolvedDefaults,
  faults: Faults,
): ResolvedPartition {
  const path = `partitions.${name}`;
  if (!isName(name)) {
    faults.add(
      path,
      `expected a name without control characters, commas, '=' or surrounding blanks`,
      name,
    );
  }
  const options = typeof given === 'number' ? { size: given } : given;
  if (!isPlainObject(options)) {
    faults.add(path, 'expected a size or an object with a size', given);
    return { name, size: NaN, max: NaN, ...defaults };
  }
  if (options !== given) return resolveOptions(name, path, options, defaults, faults);
  faults.unknownKeys(path, options, OPTIONS);
  return resolveOptions(name, `${path}.size`, options, defaults, faults);
}

function resolveOptions(
  name: string,
  sizePath: string,
  given: Record<string, unknown>,
  defaults: ResolvedDefaults,
  faults: Faults,
): ResolvedPartition {
  const path = `partitions.${name}`;
  // NaN compares with nothing: a value that is a fault leads to no others.
  const size = faults.integer(sizePath, given['size'], 0) ?? NaN;
  const max =
    given['max'] === undefined ? size : (faults.integer(`${path}.max`, given['max'], 0) ?? NaN);
  if (max < size) faults.add(`${path}.max`, `expected at least its size, ${size}`, max);
  if (max === 0 && given['size'] === 0) {
    faults.add(path, 'expected a size or a max of at least 1; it could never hold anything');
  }
  const { acquireTimeoutMillis, maxWaiting } = given;
  return {
    name,
    size,
    max,
    acquireTimeoutMillis:
      acquireTimeoutMillis === undefined
        ? defaults.acquireTimeoutMillis
        : (faults.timeout(`${path}.acquireTimeoutMillis`, acquireTimeoutMillis) ?? 0),
    maxWaiting:
      maxWaiting === undefined
        ? defaults.maxWaiting
        : (faults.lineLength(`${path}.maxWaiting`, maxWaiting) ?? 0),
  };
}

/** Σ size ≤ max, and no partition reaches above the pool. */
function checkTotals(
  partitions: readonly ResolvedPartition[],
  { option, max, sum }: { option: string; max: number | undefined; sum: number },
  faults: Faults,
): void {
  const ceiling = max ?? sum;
  if (sum > ceiling) {
    const sizes = partitions.map(({ size }) => size).join(' + ');
    const added =
      partitions.length === 1 ? `the size ${sum} is` : `the sizes add up to ${sizes} = ${sum},`;
    faults.add('partitions', `${added} more than ${option} = ${ceiling}`);
  }
  for (const { name, max: own, size } of partitions) {
    if (!(own > ceiling) || size > ceiling) continue;
    const hint = max === undefined ? ` (${option} defaults to the sum of the sizes)` : '';
    faults.add(
      `partitions.${name}.max`,
      `expected at most the pool's ${option}, ${ceiling}${hint}`,
      own,
    );
  }
}

// Names are written into environment variables, metric labels and report files.
const isName = (name: string): boolean =>
  name.length > 0 && name.length <= 100 && name === name.trim() && !/[,=\p{Cc}]/u.test(name);

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
