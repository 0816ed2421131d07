import { createRequire } from 'node:module';
import { startAgent } from '../../support/tracing/dd-trace.ts';
import { traceMysql2 } from '../../support/tracing/mysql2.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

const require = createRequire(import.meta.url);

playTraced('mysql2: dd-trace', async () => {
  const toAgent = await startAgent();
  // #region wire
  const { tracer } = require('dd-trace').init() as typeof import('dd-trace');
  // Only now, since it loads mysql2.
  const { createPool } = require('watertight/mysql2') as typeof import('watertight/mysql2');
  // #endregion
  return [traceMysql2(createPool), toAgent(tracer)];
});
