import { createRequire } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { openTelemetry } from '../../support/tracing/opentelemetry.ts';
import { tracePg } from '../../support/tracing/pg.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

const require = createRequire(import.meta.url);

playTraced('pg: opentelemetry', async () => {
  const tracer = openTelemetry();
  // #region wire
  registerInstrumentations({ instrumentations: [new PgInstrumentation()] });
  // Only now, since it loads pg.
  const { Pool } = require('watertight/pg') as typeof import('watertight/pg');
  // #endregion
  return [tracePg(Pool), tracer];
});
