import { createRequire } from 'node:module';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { traceMongoose } from '../../support/tracing/mongoose.ts';
import { openTelemetry } from '../../support/tracing/opentelemetry.ts';
import { playTraced } from '../../support/tracing/scenario.ts';

const require = createRequire(import.meta.url);

playTraced('mongoose: opentelemetry', async () => {
  const tracer = openTelemetry();
  // #region wire
  registerInstrumentations({ instrumentations: [new MongoDBInstrumentation()] });
  // Only now, since they load mongodb.
  const { createConnection } = require('mongoose') as typeof import('mongoose');
  const { partitionConnection } =
    require('watertight/mongoose') as typeof import('watertight/mongoose');
  // #endregion
  return [await traceMongoose(createConnection, partitionConnection), tracer];
});
