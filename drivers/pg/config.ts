import type { PoolConfig as StockConfig } from 'pg';
import { Faults, MAX_ACQUIRE_TIMEOUT_MILLIS, isPlainObject } from '../../src/config.ts';
import {
  DIVISION_OPTIONS,
  checkSpelling,
  limitMillis,
  resolveDivision,
  without,
  type DivisionOptions,
  type ResolvedDivision,
} from '../shared/division.ts';

/** What `pg.Pool` takes, and how its connections are divided. */
export interface PoolConfig<Name extends string = string>
  extends StockConfig, DivisionOptions<Name> {
  /**
   * Connections the pool may open.
   * @defaultValue the sum of the partitions' sizes; pg's own 10 when there are no partitions
   */
  max?: number | undefined;
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

export interface ResolvedPoolConfig extends ResolvedDivision {
  readonly resetOnHop: boolean;
  /** The longest a dial, a hook or a clean-up may keep a permit. */
  readonly limitMillis: number;
  /** The options for the stock pool: those given, less ours. */
  readonly stock: StockConfig;
}

const PG_DEFAULT_MAX = 10;
const OWN = [...DIVISION_OPTIONS, 'resetOnHop'];

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
  checkSpelling(config, OWN, STOCK, faults);
  const ownTimeout =
    config.acquireTimeoutMillis === undefined ? connectionTimeout(config, faults) : undefined;
  const acquireTimeoutMillis = config.acquireTimeoutMillis ?? ownTimeout;
  const capacity = { option: 'max', given: capacityOf(config, faults), fallback: PG_DEFAULT_MAX };
  const division = resolveDivision({ ...config, acquireTimeoutMillis }, capacity, faults);
  const { resetOnHop = false } = config;
  if (typeof resetOnHop !== 'boolean') {
    faults.add('resetOnHop', 'expected true or false', resetOnHop);
  }
  faults.throwIfAny();
  const stock = without<StockConfig>(config, [...OWN, 'poolSize']);
  stock.max = division.max;
  return {
    ...division,
    resetOnHop,
    limitMillis: limitMillis(ownTimeout, division),
    stock,
  };
}

/** `poolSize` is pg's old name for `max`. */
function capacityOf(config: PoolConfig & { poolSize?: unknown }, faults: Faults): unknown {
  const { max, poolSize } = config;
  return max ?? (poolSize === undefined ? undefined : faults.integer('poolSize', poolSize, 1));
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
