import { createRequire } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { MySQL2Instrumentation } from '@opentelemetry/instrumentation-mysql2';
import { traceMysql2 } from '../../support/tracing/mysql2.ts';
import { openTelemetry } from '../../support/tracing/opentelemetry.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

const require = createRequire(import.meta.url);

playTraced('mysql2: opentelemetry', async () => {
  const tracer = openTelemetry();
  // #region wire
  registerInstrumentations({ instrumentations: [new MySQL2Instrumentation()] });
  // Only now, since it loads mysql2.
  const { createPool } = require('watertight/mysql2') as typeof import('watertight/mysql2');
  // #endregion
  return [traceMysql2(createPool), tracer];
});
