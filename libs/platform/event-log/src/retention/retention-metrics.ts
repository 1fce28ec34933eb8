import { Injectable } from '@nestjs/common';
import { MetricsService } from '#platform/observability';

@Injectable()
export class RetentionMetrics {
  readonly partitions;
  readonly keptPartitions;
  readonly droppedPartitions;
  readonly oldestWeek;

  constructor(metrics: MetricsService) {
    this.partitions = metrics.gauge({
      name: 'event_log_partitions',
      help: 'Weekly partitions by table, including those of future weeks.',
      labelNames: ['table'],
      aggregator: 'max',
    });
    this.keptPartitions = metrics.gauge({
      name: 'event_log_partitions_held',
      help: 'Partitions after their retention period that are kept because deliveries are pending or events are not linked.',
      labelNames: ['table'],
      aggregator: 'max',
    });
    this.droppedPartitions = metrics.counter({
      name: 'event_log_partitions_dropped_total',
      help: 'Partitions that retention dropped, by table.',
      labelNames: ['table'],
    });
    this.oldestWeek = metrics.gauge({
      name: 'event_log_oldest_week_timestamp_seconds',
      help: 'Start of the oldest week with events.',
      aggregator: 'max',
    });
  }
}
