import { lossOf } from '../loss.ts';
import type { PluggableDriver } from '../subject.ts';
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
  classify: (error) => lossOf(error, (one) => one instanceof OutOfPatience),
  cannotConnect,
  ownPools,
};
