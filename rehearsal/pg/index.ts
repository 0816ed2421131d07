import { lossOf } from '../loss.ts';
import type { PluggableDriver } from '../subject.ts';
import { cannotConnect } from './failures.ts';
import { ownPools } from './own-pools.ts';
import { openPartitioned, openShared } from './subjects.ts';
import { openWitness } from './witness.ts';

export const pgRehearsal: PluggableDriver = {
  name: 'pg',
  openWitness,
  openShared,
  openPartitioned,
  // The stock pool has no codes, only this sentence.
  classify: (error) =>
    lossOf(error, ({ message }) => message === 'timeout exceeded when trying to connect'),
  cannotConnect,
  ownPools,
};
