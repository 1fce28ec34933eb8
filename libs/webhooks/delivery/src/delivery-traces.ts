import { Injectable } from '@nestjs/common';
import { Tracing } from '#platform/observability';
import type { AttemptResult, ClaimedDelivery } from './processing/delivery-state.query.js';
import type { UnpositionedEvent } from './relay/relay.query.js';

/**
 * Records spans of the relay and the delivery of an event, in the trace of the request that published the event. The spans contain only IDs,
 * no address and no data.
 */
@Injectable()
export class DeliveryTraces {
  constructor(private readonly tracing: Tracing) {}

  /** Records a span for each event that has a trace, from the insertion of the event to the insertion of its deliveries. */
  recordRelayed(events: readonly UnpositionedEvent[]): void {
    const { recorder } = this.tracing;
    if (!recorder) return;
    for (const { traceparent: parent, id, type, ageMs: startedAgoMs } of events) {
      if (!parent) continue;
      const attributes = { 'event.id': id, 'event.type': type };
      recorder.start('producer', `relay ${type}`, { parent, startedAgoMs, attributes }).end();
    }
  }

  /** Starts the span of an attempt. Returns a function that ends it. */
  startAttempt(delivery: ClaimedDelivery, parent: string | null): ((attempt: AttemptResult) => void) | undefined {
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
