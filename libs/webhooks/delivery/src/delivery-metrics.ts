import { Injectable } from '@nestjs/common';
import { lately, MetricsService } from '#platform/observability';

/** What waits in the database. */
export interface Backlog {
  readonly due: number;
  readonly pending: number;
  readonly oldestDueMs: number;
  /** Age of the oldest event that no relay has taken yet. */
  readonly outboxLagMs: number;
}

/** Counting further would cost more than it tells. */
export const BACKLOG_COUNTED_MAX = 100_000;
const BACKLOG_KEPT_MS = 5_000;

/** What is measured of webhook deliveries. */
@Injectable()
export class DeliveryMetrics {
  readonly attemptSeconds;
  readonly relayLastRound;

  constructor(private readonly metrics: MetricsService) {
    this.attemptSeconds = metrics.histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Delivery attempts by outcome: succeeded, retrying, failed.',
      labelNames: ['outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    });
    this.relayLastRound = metrics.gauge({
      name: 'webhook_relay_last_round_timestamp_seconds',
      help: 'When the relay of this process last got through a round; 0 where none runs.',
      aggregator: 'max',
    });
  }

  /** Shows how much waits in the database, asked for when metrics are read, at most every few seconds. */
  showBacklog(read: () => Promise<Backlog>): void {
    const latest = lately(read, BACKLOG_KEPT_MS);
    const gauge = (name: string, help: string, value: (backlog: Backlog) => number) =>
      this.metrics.gauge({
        name,
        help,
        aggregator: 'max',
        async collect() {
          // Without the database the other metrics are still to be had.
          this.set(await latest().then(value, () => Number.NaN));
        },
      });
    gauge(
      'webhook_deliveries_due',
      `Deliveries whose next attempt is due, counted up to ${BACKLOG_COUNTED_MAX}.`,
      ({ due }) => due,
    );
    gauge(
      'webhook_deliveries_pending',
      `Deliveries that are due, will be, or wait for their webhook to be switched on, counted up to ${BACKLOG_COUNTED_MAX}.`,
      ({ pending }) => pending,
    );
    gauge(
      'webhook_oldest_due_seconds',
      'For how long the next attempt of the delivery that waits longest has been due.',
      ({ oldestDueMs }) => oldestDueMs / 1_000,
    );
    gauge(
      'webhook_outbox_lag_seconds',
      'Age of the oldest event that no relay has taken yet; 0 when there is none.',
      ({ outboxLagMs }) => outboxLagMs / 1_000,
    );
  }

  /** Shows how many jobs wait, asked for when metrics are read; processes that share a queue count the same jobs. */
  showQueue(waitingCount: () => Promise<number>, shared: boolean): void {
    this.metrics.gauge({
      name: 'webhook_queue_waiting_jobs',
      help: 'Delivery jobs that wait to be handed out; on Redis each may hold up to 50 deliveries.',
      aggregator: shared ? 'max' : 'sum',
      async collect() {
        this.set(await waitingCount());
      },
    });
  }
}
