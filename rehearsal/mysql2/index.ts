import { connectionLost } from '../failures.ts';
import type { PluggableDriver } from '../subject.ts';
import type { Loss } from '../tally.ts';
import { cannotConnect } from './failures.ts';
import { ownPools } from './own-pools.ts';
import { OutOfPatience } from './patience.ts';
import { openPartitioned, openShared } from './subjects.ts';
import { openWitness } from './witness.ts';

export const mysql2Rehearsal: PluggableDriver = {
  name: 'mysql2',
  openWitness,
  openShared,
  openPartitioned,
  classify,
  cannotConnect,
  connectionLost,
  ownPools,
};

function classify(error: unknown): Loss {
  if (error instanceof OutOfPatience) return 'timedOut';
  if (!(error instanceof Error)) return 'failed';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_PARTITION_FULL') return 'refused';
  return code === 'ERR_ACQUIRE_TIMEOUT' ? 'timedOut' : 'failed';
}
