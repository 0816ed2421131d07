import { register } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { openTelemetry } from '../../support/tracing/opentelemetry.ts';
import { tracePg } from '../../support/tracing/pg.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

playTraced('pg: opentelemetry, ES modules', async () => {
  const tracer = openTelemetry();
  // #region wire
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  registerInstrumentations({ instrumentations: [new PgInstrumentation()] });
  // Only now, since it loads pg.
  const { Pool } = await import('watertight/pg');
  // #endregion
  return [tracePg(Pool), tracer];
});
