import { register } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { MySQL2Instrumentation } from '@opentelemetry/instrumentation-mysql2';
import { openTelemetry } from '../../support/tracing/opentelemetry.ts';
import { traceMysql2 } from '../../support/tracing/mysql2.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

playTraced('mysql2: opentelemetry, ES modules', async () => {
  const tracer = openTelemetry();
  // #region wire
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  registerInstrumentations({ instrumentations: [new MySQL2Instrumentation()] });
  // Only now, since it loads mysql2.
  const { createPool } = await import('watertight/mysql2');
  // #endregion
  return [traceMysql2(createPool), tracer];
});
