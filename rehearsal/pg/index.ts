import type { RehearsalDriver } from '../subject.ts';
import type { Loss } from '../tally.ts';
import { cannotConnect, connectionLost } from './failures.ts';
import { openPartitioned, openShared } from './subjects.ts';
import { openWitness } from './witness.ts';

export const pgRehearsal: RehearsalDriver = {
  name: 'pg',
  openWitness,
  openShared,
  openPartitioned,
  classify,
  cannotConnect,
  connectionLost,
};

function classify(error: unknown): Loss {
  if (!(error instanceof Error)) return 'failed';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_PARTITION_FULL') return 'refused';
  if (code === 'ERR_ACQUIRE_TIMEOUT') return 'timedOut';
  // The stock pool has no codes, only this sentence.
  return error.message === 'timeout exceeded when trying to connect' ? 'timedOut' : 'failed';
}
