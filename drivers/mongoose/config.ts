import { Faults, MAX_ACQUIRE_TIMEOUT_MILLIS, isPlainObject } from '../../src/config.ts';
import {
  DIVISION_OPTIONS,
  resolveDivision,
  type Capacity,
  type DivisionOptions,
  type ResolvedDivision,
} from '../shared/division.ts';
import type { Client } from './driver.ts';

/** How the connections of a client are divided: those to each server alike. */
export interface PartitionedOptions<Name extends string = string> extends DivisionOptions<Name> {
  /**
   * Connections to each server that the partitions have together.
   * @defaultValue the client's `maxPoolSize` less `finishReserve`
   */
  max?: number | undefined;
  /**
   * Connections of `maxPoolSize` that no partition gets, so that a commit, an abort or the end of a
   * cursor never waits for a slow operation.
   * @defaultValue 1
   */
  finishReserve?: number | undefined;
}

const OPTIONS = [...DIVISION_OPTIONS, 'max', 'finishReserve'];
const DRIVER_DEFAULT_MAX = 100;

/**
 * @param client undefined before there is one; the capacity is then checked later
 * @throws `ERR_CONFIG` with every fault at once.
 */
export function resolveOptions(
  given: PartitionedOptions | undefined,
  client: Client | undefined,
): ResolvedDivision {
  const faults = new Faults();
  if (given !== undefined && !isPlainObject(given)) {
    faults.add('options', 'expected an object with partitions', given);
    faults.throwIfAny();
  }
  const config: PartitionedOptions = given ?? {};
  faults.unknownKeys('', config, OPTIONS);
  const { finishReserve = 1, max, ...options } = config;
  const reserve = faults.integer('finishReserve', finishReserve, 0) ?? 0;
  const acquireTimeoutMillis =
    options.acquireTimeoutMillis ?? waitQueueTimeout(client?.options.waitQueueTimeoutMS, faults);
  const division = resolveDivision(
    { ...options, acquireTimeoutMillis },
    capacityOf(client, reserve, max, faults),
    faults,
  );
  faults.throwIfAny();
  return division;
}

function capacityOf(
  client: Client | undefined,
  reserve: number,
  given: number | undefined,
  faults: Faults,
): Capacity {
  const maxPoolSize = client ? client.options.maxPoolSize || undefined : Number.MAX_SAFE_INTEGER;
  const fallback = (maxPoolSize ?? DRIVER_DEFAULT_MAX) - reserve;
  // 0 is without limit: then the partitions are the limit.
  if (maxPoolSize === undefined) return { option: 'max', given, fallback };
  const limit = maxPoolSize - reserve;
  const option =
    reserve === 0 ? 'maxPoolSize' : `maxPoolSize ${maxPoolSize} less finishReserve ${reserve}`;
  if (given === undefined) return { option, given: limit, fallback };
  if (given > limit) faults.add('max', `expected at most ${option} = ${limit}`, given);
  return { option: 'max', given, fallback };
}

/** Where the driver waits for ever by default, ours has a default of its own. */
function waitQueueTimeout(given: number | undefined, faults: Faults): number | undefined {
  if (!given) return undefined;
  if (given <= MAX_ACQUIRE_TIMEOUT_MILLIS) return given;
  const rule =
    `expected milliseconds up to ${MAX_ACQUIRE_TIMEOUT_MILLIS}, or acquireTimeoutMillis beside it: ` +
    `waiting longer hides an outage`;
  faults.add('waitQueueTimeoutMS', rule, given);
  return undefined;
}
