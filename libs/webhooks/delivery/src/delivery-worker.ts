import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { FailureWatch } from './alerts/failure-watch.js';
import { DeliveryAttemptService } from './processing/delivery-attempt.service.js';
import { DeliveryQueue } from './queue/index.js';
import { EventRelay } from './relay/event-relay.js';
import { DeliverySweeper } from './sweeping/delivery-sweeper.js';

/** Share of the shutdown time for attempts in progress. The remaining time is for recording results and closing connections. */
const ATTEMPTS_SHARE = 0.6;

/** Starts and stops the relay, the attempts and the sweeper in processes that deliver. Closes the queue in every process. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly isWorker: boolean;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly relay: EventRelay,
    private readonly attempts: DeliveryAttemptService,
    private readonly sweeper: DeliverySweeper,
    private readonly failures: FailureWatch,
    private readonly config: AppConfig,
  ) {
    this.isWorker = config.role !== 'api';
  }

  onApplicationBootstrap(): void {
    if (!this.isWorker) return;
    this.queue.process((jobs) => this.attempts.process(jobs));
    this.relay.start();
    this.sweeper.start();
    this.failures.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.isWorker) {
      await Promise.all([this.relay.stop(), this.sweeper.stop(), this.failures.stop()]);
      await this.attempts.stop(this.config.shutdownTimeoutMs * ATTEMPTS_SHARE);
      this.logger.log('The deliveries in progress have finished.');
    }
    // Before Nest closes Bull, which would wait without a time limit for a Redis that does not respond.
    await this.queue.close();
  }
}
