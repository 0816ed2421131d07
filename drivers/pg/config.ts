import type { PoolConfig as StockConfig } from 'pg';
import {
  DEFAULT_ACQUIRE_TIMEOUT_MILLIS,
  Faults,
  MAX_ACQUIRE_TIMEOUT_MILLIS,
  isPlainObject,
  resolveInto,
  type PartitionDefaults,
  type PartitionsConfig,
  type ResolvedConfig,
} from '../../src/config.ts';
import { nearest } from '../../src/nearest.ts';

/** What `pg.Pool` takes, and how its connections are divided. */
export interface PoolConfig<Name extends string = string> extends StockConfig, PartitionDefaults {
  /**
   * Connections the pool may open.
   * @defaultValue the sum of the partitions' sizes; pg's own 10 when there are no partitions
   */
  max?: number | undefined;
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
  /**
   * Resets a session (settings, role, temporary tables, advisory locks, LISTEN) when its connection
   * goes from one partition to another. Costs a round trip each time that happens.
   * @defaultValue false
   */
  resetOnHop?: boolean | undefined;
  /**
   * pg's name for `acquireTimeoutMillis`, used for all partitions when that is not given. 0, which
   * means to wait for ever in pg, is refused.
   */
  connectionTimeoutMillis?: number | undefined;
}

export interface ResolvedPoolConfig extends ResolvedConfig {
  readonly defaultPartition: string | undefined;
  /** No partitions were given: one partition holds everything and `runIn` has no choice to make. */
  readonly undivided: boolean;
  readonly resetOnHop: boolean;
  /** The longest a dial, a hook or a clean-up may keep a permit. */
  readonly limitMillis: number;
  /** The options for the stock pool: those given, less ours. */
  readonly stock: StockConfig;
}

const PG_DEFAULT_MAX = 10;
const OWN = ['partitions', 'defaultPartition', 'acquireTimeoutMillis', 'maxWaiting', 'resetOnHop'];
const UNDIVIDED = 'default';

/** Options of pg itself: never taken for a misspelt one of ours. */
const STOCK = [
  ...['max', 'min', 'poolSize', 'maxUses', 'maxLifetimeSeconds', 'idleTimeoutMillis', 'verify'],
  ...['allowExitOnIdle', 'onConnect', 'log', 'Promise', 'Client', 'connectionTimeoutMillis'],
  ...['connectionString', 'host', 'port', 'user', 'password', 'database', 'ssl', 'options'],
  ...['application_name', 'client_encoding', 'keepAlive', 'statement_timeout', 'query_timeout'],
];

/** @throws `ERR_CONFIG` with every fault at once. */
export function resolvePoolConfig(given: PoolConfig | undefined): ResolvedPoolConfig {
  const faults = new Faults();
  if (given !== undefined && !isPlainObject(given)) {
    const rule = 'expected an object; a connection URL goes into { connectionString }';
    // A string is most likely a URL, and may have a password in it.
    faults.add('config', rule, typeof given === 'string' ? 'a string' : given);
    faults.throwIfAny();
  }
  const config: PoolConfig = given ?? {};
  for (const key of Object.keys(config)) checkSpelling(key, faults);
  const undivided = config.partitions === undefined;
  const resolved = resolveInto(faults, partitionConfig(config, faults));
  const defaultPartition = undivided ? UNDIVIDED : config.defaultPartition;
  checkDefault(config.defaultPartition, resolved, faults);
  const { resetOnHop = false } = config;
  if (typeof resetOnHop !== 'boolean') {
    faults.add('resetOnHop', 'expected true or false', resetOnHop);
  }
  faults.throwIfAny();
  return {
    ...resolved,
    undivided,
    defaultPartition,
    resetOnHop,
    limitMillis: limitMillis(config, resolved),
    stock: stockConfig(config, resolved.max),
  };
}

/**
 * Twice the longest patience of a caller. A dial that its caller gave up still serves the next one,
 * so a slow server is reached all the same; a silent one must not keep permits for ever.
 */
function limitMillis(config: PoolConfig, { partitions }: ResolvedConfig): number {
  const patience = partitions.map(({ acquireTimeoutMillis }) => acquireTimeoutMillis);
  const own =
    config.acquireTimeoutMillis === undefined ? config.connectionTimeoutMillis : undefined;
  return 2 * Math.max(own ?? DEFAULT_ACQUIRE_TIMEOUT_MILLIS, ...patience);
}

/** The partitioner's part of the options, under its own names. */
function partitionConfig(
  config: PoolConfig & { poolSize?: unknown },
  faults: Faults,
): Record<string, unknown> {
  const { partitions, poolSize } = config;
  const max =
    config.max ?? (poolSize === undefined ? undefined : faults.integer('poolSize', poolSize, 1));
  const acquireTimeoutMillis = config.acquireTimeoutMillis ?? connectionTimeout(config, faults);
  const all = max ?? PG_DEFAULT_MAX;
  if (partitions !== undefined) {
    return { max, partitions, acquireTimeoutMillis, maxWaiting: config.maxWaiting };
  }
  // A plain drop-in: programs written for pg may have any number of callers in line.
  const maxWaiting = config.maxWaiting ?? Infinity;
  const size = Number.isInteger(all) && all > 0 ? all : 1;
  return { max: all, partitions: { [UNDIVIDED]: size }, acquireTimeoutMillis, maxWaiting };
}

/** Under its own name: where pg waits for ever, ours would never wait. */
function connectionTimeout(
  { connectionTimeoutMillis: given }: PoolConfig,
  faults: Faults,
): number | undefined {
  if (given === undefined) return undefined;
  const fits = given > 0 && given <= MAX_ACQUIRE_TIMEOUT_MILLIS;
  if (typeof given === 'number' && fits) return given;
  const rule =
    `expected milliseconds from 1 to ${MAX_ACQUIRE_TIMEOUT_MILLIS}: waiting longer, or for ever ` +
    `(0), hides an outage; not to wait at all, say acquireTimeoutMillis: 0`;
  faults.add('connectionTimeoutMillis', rule, given);
  return undefined;
}

function checkDefault(name: unknown, { partitions }: ResolvedConfig, faults: Faults): void {
  if (name === undefined || partitions.length === 0) return;
  const names = partitions.map((partition) => partition.name);
  if (!names.includes(name as string)) {
    faults.add('defaultPartition', `expected one of ${names.join(', ')}`, name);
  }
}

/** pg ignores options it does not know; one that was meant for us must not vanish like that. */
function checkSpelling(key: string, faults: Faults): void {
  if (OWN.includes(key) || STOCK.includes(key)) return;
  const meant = nearest(key, OWN);
  if (meant) faults.add(key, `unknown option; did you mean '${meant}'?`);
}

/** Defined by descriptors, since pg hides the password from enumeration. */
function stockConfig(config: PoolConfig, max: number): StockConfig {
  const descriptors = Object.getOwnPropertyDescriptors(config) as PropertyDescriptorMap;
  for (const key of [...OWN, 'poolSize']) delete descriptors[key];
  const stock: StockConfig = Object.defineProperties({}, descriptors);
  stock.max = max;
  return stock;
}
