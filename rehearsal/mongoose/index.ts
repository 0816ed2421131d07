import { lossOf } from '../loss.ts';
import type { PluggableDriver } from '../subject.ts';
import { cannotConnect } from './failures.ts';
import { ownPools } from './own-pools.ts';
import { openPartitioned, openShared } from './subjects.ts';
import { openWitness } from './witness.ts';

export const mongooseRehearsal: PluggableDriver = {
  name: 'mongoose',
  openWitness,
  openShared,
  openPartitioned,
  classify: (error) => lossOf(error, ({ name }) => name === 'MongoWaitQueueTimeoutError'),
  cannotConnect,
  ownPools,
};
