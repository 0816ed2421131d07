import { createRequire } from 'node:module';
import { startAgent } from '../../support/tracing/dd-trace.ts';
import { tracePg } from '../../support/tracing/pg.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

const require = createRequire(import.meta.url);

playTraced('pg: dd-trace', async () => {
  const toAgent = await startAgent();
  // #region wire
  const { tracer } = require('dd-trace').init() as typeof import('dd-trace');
  // Only now, since it loads pg.
  const { Pool } = require('watertight/pg') as typeof import('watertight/pg');
  // #endregion
  return [tracePg(Pool), toAgent(tracer)];
});
