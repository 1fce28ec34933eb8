import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#platform/config';
import type { SpanRecorder } from './span-recorder.js';

/** The traces of this process. If traces are disabled, there is no recorder, and OpenTelemetry is not loaded. */
export class Tracing implements OnApplicationShutdown {
  private constructor(readonly recorder?: SpanRecorder) {}

  /** Enables traces if OTEL_EXPORTER_OTLP_ENDPOINT is set. */
  static async of({ otlpEndpoint }: Pick<AppConfig, 'otlpEndpoint'>): Promise<Tracing> {
    if (otlpEndpoint === undefined) return new Tracing();
    const { OtlpSpanRecorder } = await import('./otlp-span-recorder.js');
    return new Tracing(new OtlpSpanRecorder(otlpEndpoint, new Logger('Traces')));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.recorder?.close();
  }
}

/** Returns the ID of the trace, for log lines. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.split('-', 2)[1];
