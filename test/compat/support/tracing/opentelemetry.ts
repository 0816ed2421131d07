import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { Tracer } from './scenario.ts';

/** OpenTelemetry, whose spans stay in memory. */
export function openTelemetry(): Tracer {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const tracer = trace.getTracer('compat');
  return {
    inSpan: (name, work) =>
      tracer.startActiveSpan(name, {}, ROOT_CONTEXT, (span) => work().finally(() => span.end())),
    spans: async () =>
      exporter.getFinishedSpans().map((span) => ({
        id: span.spanContext().spanId,
        parent: span.parentSpanContext?.spanId,
        text: `${span.name} ${JSON.stringify(span.attributes)}`,
      })),
    stop: () => provider.shutdown(),
  };
}
