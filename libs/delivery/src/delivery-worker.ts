import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { AppConfig } from '#config';
import { HealthChecks } from '#observability';
import { DeliveryMetrics } from './delivery-metrics.js';
import { GuardedHttpClient } from './guarded-http/index.js';
import { DeliveryProcessor } from './processing/delivery-processor.js';
import { DeliveryQueue } from './queue/index.js';
import { EventRelay } from './relay/event-relay.js';
import { DeliverySweeper } from './sweeping/delivery-sweeper.js';

/** Of the time for a clean stop, this part is for attempts under way; the rest is for what must be written and closed after them. */
const ATTEMPTS_SHARE = 0.6;

/** Starts and stops relaying, sending and sweeping, in processes that do so. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);

  constructor(
    private readonly relay: EventRelay,
    private readonly processor: DeliveryProcessor,
    private readonly sweeper: DeliverySweeper,
    private readonly queue: DeliveryQueue,
    private readonly http: GuardedHttpClient,
    private readonly config: AppConfig,
    health: HealthChecks,
    metrics: DeliveryMetrics,
  ) {
    health.register('queue', () => queue.check());
    metrics.showQueue(() => queue.waitingCount());
  }

  onApplicationBootstrap(): void {
    if (!this.works) return;
    this.processor.start();
    this.relay.start();
    this.sweeper.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.works) return;
    await Promise.all([this.relay.stop(), this.sweeper.stop()]);
    await this.processor.stop(this.config.shutdownTimeoutMs * ATTEMPTS_SHARE);
    this.logger.log('Deliveries under way are finished.');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
    await this.http.close();
  }

  private get works(): boolean {
    return this.config.role !== 'api';
  }
}
