import type { PoolOptions as StockOptions } from 'mysql2';
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
import { parseUrl } from './stock.ts';

/** What `mysql2.createPool` takes, and how its connections are divided. */
export interface PoolOptions<Name extends string = string>
  extends StockOptions, DivisionOptions<Name> {
  /**
   * Connections the pool may open. 0, which means without limit in mysql2, is refused.
   * @defaultValue the sum of the partitions' sizes; mysql2's own 10 when there are no partitions
   */
  connectionLimit?: number;
  /** The same, as in a configuration that is shared with other drivers. */
  max?: number | undefined;
  /**
   * Resets a session (variables, temporary tables, locks, an open transaction, the database) when
   * its connection goes from one partition to another. Costs two round trips each time.
   * @defaultValue true
   */
  resetOnHop?: boolean | undefined;
  /**
   * mysql2's name for `maxWaiting`, used for all partitions when that is not given; 0 is no limit.
   * @defaultValue not given
   */
  queueLimit?: number;
}

export interface ResolvedPoolOptions extends ResolvedDivision {
  readonly resetOnHop: boolean;
  readonly waitForConnections: boolean;
  /** The longest a dial, a reset or a clean-up may keep a permit. */
  readonly limitMillis: number;
  /** The options for the stock pool: those given, less ours. */
  readonly stock: StockOptions;
}

const MYSQL2_DEFAULT_LIMIT = 10;
const OWN = [...DIVISION_OPTIONS, 'resetOnHop', 'max'];

/** Options of mysql2 itself: never taken for a misspelt one of ours. */
const STOCK = [
  ...['connectionLimit', 'queueLimit', 'waitForConnections', 'maxIdle', 'idleTimeout'],
  ...['resetOnRelease', 'connectTimeout', 'uri', 'host', 'port', 'user', 'password', 'database'],
];

/** @throws `ERR_CONFIG` with every fault at once. */
export function resolvePoolOptions(given: PoolOptions | string): ResolvedPoolOptions {
  const faults = new Faults();
  const options = withUrl(given, faults);
  checkSpelling(options, OWN, STOCK, faults);
  const { resetOnHop = true, waitForConnections } = options;
  if (typeof resetOnHop !== 'boolean') {
    faults.add('resetOnHop', 'expected true or false', resetOnHop);
  }
  const capacity = {
    option:
      options.connectionLimit === undefined && options.max !== undefined
        ? 'max'
        : 'connectionLimit',
    given: capacityOf(options, faults),
    fallback: MYSQL2_DEFAULT_LIMIT,
  };
  const maxWaiting = options.maxWaiting ?? lineOf(options, faults);
  const division = resolveDivision({ ...options, maxWaiting }, capacity, faults);
  const connectTimeout = connectTimeoutOf(options, faults);
  faults.throwIfAny();
  const limit = limitMillis(connectTimeout, division);
  return {
    ...division,
    resetOnHop,
    waitForConnections: waitForConnections !== false,
    limitMillis: limit,
    stock: {
      ...without<StockOptions>(options, OWN),
      connectionLimit: division.max,
      connectTimeout: connectTimeout ?? limit,
    },
  };
}

/** With what the URL says, where the options themselves say nothing: as mysql2 does. */
function withUrl(given: PoolOptions | string, faults: Faults): PoolOptions {
  if (typeof given !== 'string' && !isPlainObject(given)) {
    faults.add('options', 'expected an object or a connection URL', given);
    faults.throwIfAny();
  }
  const { uri, ...options }: PoolOptions = typeof given === 'string' ? { uri: given } : given;
  if (uri === undefined) return options;
  const known = Object.entries(options).filter(([, value]) => value);
  try {
    return { ...parseUrl(uri), ...options, ...Object.fromEntries(known) };
  } catch {
    // Without what was thrown: Node shows the URL, and so the password, in its error.
    faults.add('uri', 'expected a connection URL: mysql://user@host:3306/database');
    return options;
  }
}

/** mysql2 takes text, as from the environment, for a number. */
const numberOf = (given: unknown): number | undefined =>
  typeof given === 'string' ? Number(given) : (given as number | undefined);

function capacityOf({ connectionLimit, max }: PoolOptions, faults: Faults): unknown {
  const limit = numberOf(connectionLimit);
  if (limit === undefined) return max;
  if (max !== undefined && max !== limit) {
    faults.add('max', `expected the same as connectionLimit, ${limit}; one is enough`, max);
  }
  if (limit !== 0) return limit;
  faults.add(
    'connectionLimit',
    'expected an integer from 1 up: 0 is no limit in mysql2, and what has no limit cannot be divided',
    limit,
  );
  return undefined;
}

/** A pool that does not wait has no line. */
function lineOf(
  { waitForConnections, queueLimit }: PoolOptions,
  faults: Faults,
): number | undefined {
  if (waitForConnections === false) return 0;
  if (queueLimit === undefined) return undefined;
  const limit = numberOf(queueLimit);
  return limit === 0 ? Infinity : faults.integer('queueLimit', limit, 0);
}

/** 0, for ever in mysql2, would let a silent server keep a permit; the limit takes its place. */
function connectTimeoutOf({ connectTimeout }: PoolOptions, faults: Faults): number | undefined {
  if (!connectTimeout) return undefined;
  if (connectTimeout > 0 && connectTimeout <= MAX_ACQUIRE_TIMEOUT_MILLIS) return connectTimeout;
  const rule = `expected milliseconds from 1 to ${MAX_ACQUIRE_TIMEOUT_MILLIS}: a silent server would keep a permit`;
  faults.add('connectTimeout', rule, connectTimeout);
  return undefined;
}
