import { Injectable, Logger } from '@nestjs/common';
import { DeliveryMetrics } from '../delivery-metrics.js';
import { DeliveryTraces } from '../delivery-traces.js';
import type { AttemptResult, ClaimedDelivery, DeliveryResult } from './delivery-state.query.js';

/** Records each attempt as a span, a metric and a line of the log. */
@Injectable()
export class AttemptTelemetry {
  private readonly logger = new Logger('DeliveryProcessor');

  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly traces: DeliveryTraces,
  ) {}

  /** Starts the span of an attempt. Returns a function that ends it. */
  startSpan(delivery: ClaimedDelivery, traceparent: string | null): ((attempt: AttemptResult) => void) | undefined {
    return this.traces.startAttempt(delivery, traceparent);
  }

  record(delivery: ClaimedDelivery, attempt: AttemptResult, status: DeliveryResult['status'], recorded: boolean): void {
    const outcome = status === 'pending' ? 'retrying' : status;
    this.metrics.attemptSeconds.observe({ outcome }, attempt.durationMs / 1_000);
    const { deliveryId, eventId, webhookId, tenantId, attempt: number } = delivery;
    const { responseCode, errorKind, durationMs } = attempt;
    const fields = { deliveryId, eventId, webhookId, tenantId, attempt: number, outcome, responseCode, errorKind, durationMs };
    this.logger.log(recorded ? fields : { ...fields, leaseLost: true }, 'Delivery attempt');
  }
}
