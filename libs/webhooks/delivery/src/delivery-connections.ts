import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { systemContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { HealthChecks } from '#platform/observability';
import { DeliveryMetrics } from './telemetry/delivery-metrics.js';
import { GuardedHttpClient } from './guarded-http/index.js';
import { DeliveryQueue } from './queue/index.js';
import { DueDeliveriesQuery } from './sweeping/due-deliveries.query.js';

/** Registers the health and metrics of the queue, and closes the HTTP client at shutdown. */
@Injectable()
export class DeliveryConnections implements OnApplicationShutdown {
  constructor(
    private readonly http: GuardedHttpClient,
    queue: DeliveryQueue,
    health: HealthChecks,
    metrics: DeliveryMetrics,
    deliveries: DueDeliveriesQuery,
    config: AppConfig,
  ) {
    // An API process works without Redis: events wait in PostgreSQL, and rate limits are counted in the process.
    health.register('queue', () => queue.check(), { isRequired: config.role !== 'api' });
    metrics.showQueue(() => queue.waitingCount(), config.redisUrls.length > 0);
    metrics.showBacklog(() => deliveries.backlog(systemContext('delivery-metrics')));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
