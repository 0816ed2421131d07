import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { decode } from '@msgpack/msgpack';
import type ddTrace from 'dd-trace';
import type { Span, Tracer } from './scenario.ts';

type Datadog = typeof ddTrace.tracer;

/** As the tracer sends it to its agent. */
interface Sent {
  readonly span_id: bigint;
  readonly parent_id: bigint;
  readonly name: string;
  readonly resource: string;
}

/** Datadog's tracer, and an agent in this process, to which it is directed by the environment. */
export async function startAgent(): Promise<(tracer: Datadog) => Tracer> {
  const received: Span[] = [];
  const server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      if (request.url?.endsWith('/traces')) received.push(...spansIn(body));
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(process.env, {
    DD_TRACE_AGENT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DD_TRACE_FLUSH_INTERVAL: '0',
    DD_TRACE_STARTUP_LOGS: 'false',
    DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
    DD_REMOTE_CONFIGURATION_ENABLED: 'false',
  });
  return (tracer) => ({
    inSpan: (name, work) =>
      tracer.scope().activate(undefined as never, () => tracer.trace(name, {}, work)),
    async spans(enough) {
      for (let turn = 0; turn < 250 && !enough(received); turn++) await delay(20);
      return received;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  });
}

const spansIn = (body: Buffer): Span[] =>
  (decode(body, { useBigInt64: true }) as Sent[][]).flat().map((span) => ({
    id: String(span.span_id),
    parent: String(span.parent_id),
    text: `${span.name} ${span.resource}`,
  }));
