import { Injectable } from '@nestjs/common';
import { MetricsService } from '#platform/observability';

/** What is measured of what is kept and removed. */
@Injectable()
export class RetentionMetrics {
  readonly partitions;
  readonly heldPartitions;
  readonly droppedPartitions;
  readonly oldestWeek;

  constructor(metrics: MetricsService) {
    this.partitions = metrics.gauge({
      name: 'event_log_partitions',
      help: 'Weekly partitions by table, those of weeks to come included.',
      labelNames: ['table'],
      aggregator: 'max',
    });
    this.heldPartitions = metrics.gauge({
      name: 'event_log_partitions_held',
      help: 'Partitions past their retention that stay, since deliveries of theirs are pending or events not linked.',
      labelNames: ['table'],
      aggregator: 'max',
    });
    this.droppedPartitions = metrics.counter({
      name: 'event_log_partitions_dropped_total',
      help: 'Partitions that retention removed, by table.',
      labelNames: ['table'],
    });
    this.oldestWeek = metrics.gauge({
      name: 'event_log_oldest_week_timestamp_seconds',
      help: 'Start of the oldest week of which events are kept.',
      aggregator: 'max',
    });
  }
}
