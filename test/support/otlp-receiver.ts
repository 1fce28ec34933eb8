import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenHttp } from './local-receiver.js';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** The OpenTelemetry SpanKind: 2 is server, 3 is client, 4 is producer. */
  kind: number;
  failed: boolean;
  attributes: Record<string, unknown>;
  /** The `service.name` of the process that sent the span. */
  service: unknown;
}

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>;

/** Starts a trace collector on 127.0.0.1 (OTLP over HTTP as JSON). */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  let text = '';
  const listener = await listenHttp(async (request, response) => {
    const body = await textOf(request);
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
    text += body;
    spans.push(...spansOf(JSON.parse(body) as ExportRequest));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    spans,
    /** The concatenated bodies of all requests. */
    get text() {
      return text;
    },
    /** Resolves to the matching spans when the number is at least `count`. Rejects after `timeoutMs` with all received spans. */
    waitFor: async (matches: (span: ReceivedSpan) => boolean, count: number, timeoutMs: number) => {
      for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(20)) {
        const found = spans.filter(matches);
        if (found.length >= count) return found;
      }
      throw new Error(`Not ${count} such spans within ${timeoutMs} ms, but: ${JSON.stringify(spans, undefined, 1)}`);
    },
    stop: () => listener.close(),
  };
}

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'failed' | 'service'> & { attributes: KeyValue[]; status?: { code?: number } })[];
    }[];
  }[];
}

function spansOf({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ attributes, status, ...span }) => ({
        ...span,
        attributes: plain(attributes),
        failed: status?.code === 2,
        service: plain(resource.attributes)['service.name'],
      })),
  );
}

/** Returns the attributes as plain values. In OTLP, the field name of a value is its type, and integers can be text. */
const plain = (attributes: KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, 'intValue' in value ? Number(value.intValue) : Object.values(value)[0]]),
  );
