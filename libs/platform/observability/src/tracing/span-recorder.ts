import type { Attributes } from '@opentelemetry/api';

export interface SpanStart {
  /** The parent span (W3C Trace Context). Without a valid parent, the span starts a new trace. */
  readonly parent?: string | null | undefined;
  /** Time since the start of the span, in milliseconds. Default: 0. */
  readonly startedAgoMs?: number;
  readonly attributes: Attributes;
}

export interface SpanEnd {
  /** Replaces the initial name. */
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly failed?: boolean;
}

/** A span that has not ended. */
export interface OpenSpan {
  /** The `parent` value for child spans, which other processes can use. */
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

/** Records spans and sends them to a collector. */
export interface SpanRecorder {
  start(kind: 'server' | 'producer' | 'client', name: string, start: SpanStart): OpenSpan;

  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>;
}
