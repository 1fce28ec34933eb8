import { Injectable } from '@nestjs/common';
import { Tracing } from '#platform/observability';
import type { AttemptResult, ClaimedDelivery } from './processing/delivery-state.query.js';
import type { UnpositionedEvent } from './relay/relay.query.js';

/** Spans of what becomes of an event, in the trace of the request that it came from. They name ids alone, no address and no data. */
@Injectable()
export class DeliveryTraces {
  constructor(private readonly tracing: Tracing) {}

  /** One for each event that carries a trace: from its writing until its deliveries were written. */
  noteRelayed(events: readonly UnpositionedEvent[]): void {
    const { recorder } = this.tracing;
    if (!recorder) return;
    for (const { traceparent: parent, id, type, ageMs: startedAgoMs } of events) {
      if (!parent) continue;
      const attributes = { 'event.id': id, 'event.type': type };
      recorder.start('producer', `relay ${type}`, { parent, startedAgoMs, attributes }).end();
    }
  }

  /** Begins the span of an attempt; gives what ends it. */
  beginAttempt(delivery: ClaimedDelivery, parent: string | null): ((attempt: AttemptResult) => void) | undefined {
    const span = this.tracing.recorder?.start('client', `deliver ${delivery.eventType}`, {
      parent,
      attributes: {
        'http.request.method': 'POST',
        'event.id': delivery.eventId,
        'event.type': delivery.eventType,
        'delivery.id': delivery.deliveryId,
        'delivery.attempt': delivery.attempt,
        'webhook.id': delivery.webhookId,
      },
    });
    if (!span) return undefined;
    return ({ succeeded, responseCode, errorKind }) =>
      span.end({
        failed: !succeeded,
        attributes: {
          ...(responseCode === undefined ? {} : { 'http.response.status_code': responseCode }),
          ...(errorKind === undefined ? {} : { 'error.type': errorKind }),
        },
      });
  }
}
