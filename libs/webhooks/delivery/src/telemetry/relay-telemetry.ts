import { Injectable } from '@nestjs/common';
import { Tracing } from '#platform/observability';
import { DeliveryMetrics } from './delivery-metrics.js';

interface TracedEvent {
  readonly id: string;
  readonly type: string;
  readonly ageMs: number;
  /** The trace context of the request that published the event, or null if tracing was disabled. */
  readonly traceparent: string | null;
}

/** Records the work of the relay as a metric and as spans in the traces of the requests that published the events. */
@Injectable()
export class RelayTelemetry {
  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly tracing: Tracing,
  ) {}

  recordRound(): void {
    this.metrics.relayLastRound.setToCurrentTime();
  }

  /** Records a span for each event that has a trace, from the insertion of the event to the insertion of its deliveries. */
  recordRelayed(events: readonly TracedEvent[]): void {
    const { recorder } = this.tracing;
    if (!recorder) return;
    for (const { traceparent: parent, id, type, ageMs: startedAgoMs } of events) {
      if (!parent) continue;
      const attributes = { 'event.id': id, 'event.type': type };
      recorder.start('producer', `relay ${type}`, { parent, startedAgoMs, attributes }).end();
    }
  }
}
