import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Attributes } from '@opentelemetry/api';
import type { AppConfig } from '#platform/config';

export interface SpanStart {
  /** What it belongs to, as W3C Trace Context writes it; a trace of its own begins without one, or with one that can't be read. */
  readonly parent?: string | null | undefined;
  /** How long ago it began. Default 0. */
  readonly startedAgoMs?: number;
  readonly attributes: Attributes;
}

export interface SpanEnd {
  /** In place of that from the start. */
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly failed?: boolean;
}

/** A span that has begun. */
export interface OpenSpan {
  /** For what follows from it, also in other processes and later. */
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

/** Records spans and sends them to where they are looked at. */
export interface SpanRecorder {
  start(kind: 'server' | 'producer' | 'client', name: string, start: SpanStart): OpenSpan;

  /** Sends what is left, in bounded time. */
  close(): Promise<void>;
}

/** Traces of this process. While they are off there is no recorder, and nothing of OpenTelemetry is loaded. */
export class Tracing implements OnApplicationShutdown {
  private constructor(readonly recorder?: SpanRecorder) {}

  /** On with OTEL_EXPORTER_OTLP_ENDPOINT. */
  static async of({ otlpEndpoint }: Pick<AppConfig, 'otlpEndpoint'>): Promise<Tracing> {
    if (otlpEndpoint === undefined) return new Tracing();
    const { OtlpSpanRecorder } = await import('./otlp-span-recorder.js');
    return new Tracing(new OtlpSpanRecorder(otlpEndpoint, new Logger('Traces')));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.recorder?.close();
  }
}

/** The id of the whole trace, for log lines. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.split('-', 2)[1];
