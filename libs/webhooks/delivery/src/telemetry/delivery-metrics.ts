import { Injectable } from '@nestjs/common';
import { cachedFor, MetricsService } from '#platform/observability';

/** The backlog in the database. */
export interface Backlog {
  readonly due: number;
  readonly pending: number;
  readonly oldestDueMs: number;
  /** Age of the oldest event that no relay has processed yet. */
  readonly outboxLagMs: number;
}

/** Maximum of the counts, because exact counts of a large backlog are expensive. */
export const BACKLOG_COUNTED_MAX = 100_000;
const BACKLOG_CACHED_MS = 5_000;

/** Metrics of webhook deliveries. */
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
      help: 'When the relay of this process last finished a round; 0 without a relay.',
      aggregator: 'max',
    });
  }

  /** Adds the metrics of the backlog. Reads the backlog when metrics are collected, at most every few seconds. */
  showBacklog(read: () => Promise<Backlog>): void {
    const latest = cachedFor(read, BACKLOG_CACHED_MS);
    const gauge = (name: string, help: string, value: (backlog: Backlog) => number) =>
      this.metrics.gauge({
        name,
        help,
        aggregator: 'max',
        async collect() {
          // Without the database, the other metrics are still collected.
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
      `Deliveries that are due, will be, or wait until their webhook is enabled, counted up to ${BACKLOG_COUNTED_MAX}.`,
      ({ pending }) => pending,
    );
    gauge(
      'webhook_oldest_due_seconds',
      'How long the next attempt of the longest waiting delivery has been due.',
      ({ oldestDueMs }) => oldestDueMs / 1_000,
    );
    gauge(
      'webhook_outbox_lag_seconds',
      'Age of the oldest event that no relay has processed yet; 0 when there is none.',
      ({ outboxLagMs }) => outboxLagMs / 1_000,
    );
  }

  /** Adds the number of waiting jobs, which is read when metrics are collected. `shared` means that all processes count the same jobs. */
  showQueue(waitingCount: () => Promise<number>, shared: boolean): void {
    this.metrics.gauge({
      name: 'webhook_queue_waiting_jobs',
      help: 'Delivery jobs that wait to be processed; on Redis each can contain up to 50 deliveries.',
      aggregator: shared ? 'max' : 'sum',
      async collect() {
        this.set(await waitingCount());
      },
    });
  }
}
