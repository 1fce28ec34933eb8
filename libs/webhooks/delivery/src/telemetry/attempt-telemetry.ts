import { Injectable, Logger } from '@nestjs/common';
import { Tracing } from '#platform/observability';
import { DeliveryMetrics } from './delivery-metrics.js';

interface TracedDelivery {
  readonly tenantId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly attempt: number;
}

interface Outcome {
  readonly succeeded: boolean;
  readonly durationMs: number;
  readonly responseCode?: number;
  readonly errorKind?: string;
}

/**
 * Records each attempt as a metric, a line of the log, and a span in the trace of the request that published the event. A span contains only
 * IDs, no address and no data.
 */
@Injectable()
export class AttemptTelemetry {
  private readonly logger = new Logger('DeliveryAttempt');

  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly tracing: Tracing,
  ) {}

  /** Starts the span of an attempt. Returns a function that ends it. */
  startSpan(delivery: TracedDelivery, parent: string | null): ((outcome: Outcome) => void) | undefined {
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

  /** `recorded` is false if the lease was lost before the result was written. */
  record(delivery: TracedDelivery, result: Outcome, status: string, recorded: boolean): void {
    const outcome = status === 'pending' ? 'retrying' : status;
    this.metrics.attemptSeconds.observe({ outcome }, result.durationMs / 1_000);
    const { deliveryId, eventId, webhookId, tenantId, attempt } = delivery;
    const { responseCode, errorKind, durationMs } = result;
    const fields = { deliveryId, eventId, webhookId, tenantId, attempt, outcome, responseCode, errorKind, durationMs };
    this.logger.log(recorded ? fields : { ...fields, leaseLost: true }, 'Delivery attempt');
  }
}
