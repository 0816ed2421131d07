import { connectionLost } from '../failures.ts';
import type { PluggableDriver } from '../subject.ts';
import type { Loss } from '../tally.ts';
import { cannotConnect } from './failures.ts';
import { ownPools } from './own-pools.ts';
import { openPartitioned, openShared } from './subjects.ts';
import { openWitness } from './witness.ts';

export const pgRehearsal: PluggableDriver = {
  name: 'pg',
  openWitness,
  openShared,
  openPartitioned,
  classify,
  cannotConnect,
  connectionLost,
  ownPools,
};

function classify(error: unknown): Loss {
  if (!(error instanceof Error)) return 'failed';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_PARTITION_FULL') return 'refused';
  if (code === 'ERR_ACQUIRE_TIMEOUT') return 'timedOut';
  // The stock pool has no codes, only this sentence.
  return error.message === 'timeout exceeded when trying to connect' ? 'timedOut' : 'failed';
}
