import { setTimeout as delay } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { OpenSpan, SpanEnd, SpanRecorder, SpanStart } from './span-recorder.js';

const SERVICE = 'identity-service';
const CLOSE_TIMEOUT_MS = 2_000;
const KINDS = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER, client: SpanKind.CLIENT };

/**
 * Sends spans to a collector in batches (OTLP over HTTP). OpenTelemetry's SDK reads the `OTEL_*` variables for sampling, batches, headers
 * and the service name.
 */
export class OtlpSpanRecorder implements SpanRecorder {
  private readonly provider: BasicTracerProvider;

  /** `endpoint` is the URL of the collector, without `/v1/traces`. */
  constructor(endpoint: string, logger: LoggerService) {
    const exporter = new LoggingExporter(
      logger,
      new OTLPTraceExporter({ url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces` }),
    );
    this.provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': SERVICE }))
        .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
  }

  start(kind: keyof typeof KINDS, name: string, { parent, startedAgoMs = 0, attributes }: SpanStart): OpenSpan {
    // Without an explicit time, the SDK uses the current time, which is more exact than milliseconds.
    const options = { kind: KINDS[kind], attributes, ...(startedAgoMs > 0 ? { startTime: Date.now() - startedAgoMs } : {}) };
    return new OtlpSpan(this.provider.getTracer(SERVICE).startSpan(name, options, contextOf(parent)));
  }

  async close(): Promise<void> {
    const closed = this.provider.shutdown().catch(() => undefined);
    await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

class OtlpSpan implements OpenSpan {
  readonly traceparent: string;

  constructor(private readonly span: Span) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }

  end({ name, attributes, failed }: SpanEnd = {}): void {
    if (name !== undefined) this.span.updateName(name);
    if (attributes) this.span.setAttributes(attributes);
    if (failed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

function contextOf(traceparent: string | null | undefined): Context {
  const parent = traceparent ? parseTraceParent(traceparent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** Logs when the collector starts or stops accepting spans. Does not log every batch. */
class LoggingExporter implements SpanExporter {
  private failing = false;

  constructor(
    private readonly logger: LoggerService,
    private readonly exporter: SpanExporter,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      if (failed && !this.failing)
        this.logger.warn('The collector does not accept traces; they are lost until it does.', { reason: result.error?.message });
      if (!failed && this.failing) this.logger.log('The collector accepts traces again.');
      this.failing = failed;
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
