import { Injectable } from '@nestjs/common';
import { systemContext } from '#platform/common';
import { EventSubscribers } from '#platform/events';
import { cachedFor, MetricsService } from '#platform/observability';
import { type SubscriberBacklog, SubscriberCursorQuery } from './subscriber-cursor.query.js';

const BACKLOGS_CACHED_MS = 5_000;

@Injectable()
export class SubscriberMetrics {
  readonly handled;

  constructor(
    metrics: MetricsService,
    private readonly subscribers: EventSubscribers,
    private readonly subscriberCursor: SubscriberCursorQuery,
  ) {
    this.handled = metrics.counter({
      name: 'event_subscriber_events_total',
      help: 'Calls of durable event handlers, by handler and outcome (succeeded, failed).',
      labelNames: ['subscriber', 'outcome'],
    });
    const backlogs = cachedFor(() => this.backlogs(), BACKLOGS_CACHED_MS);
    const gauge = (name: string, help: string, value: (backlog: SubscriberBacklog) => number) => {
      metrics.gauge({
        name,
        help,
        labelNames: ['subscriber'],
        aggregator: 'max',
        async collect() {
          for (const backlog of await backlogs()) this.set({ subscriber: backlog.subscriber }, value(backlog));
        },
      });
    };
    gauge(
      'event_subscriber_waiting_events',
      'Upper bound of the number of events that wait for a durable event handler.',
      (backlog) => backlog.events,
    );
    gauge(
      'event_subscriber_lag_seconds',
      'For how long the event that waits longest for a durable event handler has been due. 0 if no event waits.',
      (backlog) => backlog.oldestDueSeconds,
    );
    gauge(
      'event_subscriber_stopped_tenants',
      'Tenants for which a durable event handler stopped because all attempts failed.',
      (backlog) => backlog.stopped,
    );
  }

  /** Returns the backlogs of all handlers, or an empty list if the database is not available. */
  private async backlogs(): Promise<SubscriberBacklog[]> {
    const names = [...this.subscribers.durable.keys()];
    if (names.length === 0) return [];
    const waiting = await this.subscriberCursor.listBacklogs(systemContext('metrics')).catch(() => []);
    return names.map(
      (subscriber) =>
        waiting.find((backlog) => backlog.subscriber === subscriber) ?? {
          subscriber,
          events: 0,
          oldestDueSeconds: 0,
          stopped: 0,
        },
    );
  }
}
