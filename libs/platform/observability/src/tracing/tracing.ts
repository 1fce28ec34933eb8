import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#platform/config';
import type { SpanRecorder } from './span-recorder.js';

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
