import { createRequire } from 'node:module';
import { startAgent } from '../../support/tracing/dd-trace.ts';
import { traceMongoose } from '../../support/tracing/mongoose.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

const require = createRequire(import.meta.url);

playTraced('mongoose: dd-trace', async () => {
  const toAgent = await startAgent();
  // #region wire
  const { tracer } = require('dd-trace').init() as typeof import('dd-trace');
  // Only now, since they load mongodb.
  const { createConnection } = require('mongoose') as typeof import('mongoose');
  const { partitionConnection } =
    require('watertight/mongoose') as typeof import('watertight/mongoose');
  // #endregion
  return [await traceMongoose(createConnection, partitionConnection), toAgent(tracer)];
});
