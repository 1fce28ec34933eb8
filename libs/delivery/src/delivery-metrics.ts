import { Injectable } from '@nestjs/common';
import { MetricsService } from '#observability';

/** What is measured of webhook deliveries. */
@Injectable()
export class DeliveryMetrics {
  readonly attemptSeconds;
  readonly outboxLagSeconds;

  constructor(private readonly metrics: MetricsService) {
    this.attemptSeconds = metrics.histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Delivery attempts by outcome: succeeded, retrying, failed.',
      labelNames: ['outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    });
    this.outboxLagSeconds = metrics.gauge({
      name: 'webhook_outbox_lag_seconds',
      help: 'Age of the oldest event when the relay last took some; 0 when there are none.',
    });
  }

  /** Shows how many jobs wait, asked for when metrics are read. */
  showQueue(waitingCount: () => Promise<number>): void {
    this.metrics.gauge({
      name: 'webhook_queue_waiting_jobs',
      help: 'Delivery jobs that wait for a free place.',
      async collect() {
        this.set(await waitingCount());
      },
    });
  }
}
