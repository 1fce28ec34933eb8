import type { Attributes } from '@opentelemetry/api';

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
