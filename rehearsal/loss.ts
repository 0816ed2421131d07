import { types } from 'node:util';
import { isAcquireTimeoutError, isPartitionFullError } from '../src/errors.ts';
import type { Loss } from './tally.ts';

/**
 * How a checkout that rejected is counted.
 * @param isTimeout knows the words of the driver's own pool
 */
export function lossOf(error: unknown, isTimeout: (error: Error) => boolean): Loss {
  if (isPartitionFullError(error)) return 'refused';
  if (isAcquireTimeoutError(error)) return 'timedOut';
  return types.isNativeError(error) && isTimeout(error) ? 'timedOut' : 'failed';
}
