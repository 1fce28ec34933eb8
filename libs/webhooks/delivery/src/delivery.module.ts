import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { BullModule, getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { AppConfig } from '#platform/config';
import { EventLogModule } from '#platform/event-log';
import { OrganizationsModule } from '#directory/organizations';
import { NetworkPolicy, OutboundModule } from '#platform/outbound';
import { ThreatsModule } from '#platform/threats';
import { WebhooksModule } from '#webhooks/webhooks';
import { FailingWebhooksRepository } from './alerts/failing-webhooks.repository.js';
import { FailureWatch } from './alerts/failure-watch.js';
import { WebhookAlerts } from './alerts/webhook-alerts.js';
import { DeliveryConnections } from './delivery-connections.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryTraces } from './delivery-traces.js';
import { DeliveryWorker } from './delivery-worker.js';
import { GuardedHttpClient } from './guarded-http/index.js';
import { DeliveryDetailsService } from './history/delivery-details.service.js';
import { DeliveryHistoryController } from './history/delivery-history.controller.js';
import { DeliveryHistoryRead } from './history/delivery-history.read.js';
import { DeliveryPacer } from './pacing/delivery-pacer.js';
import { PacesRepository } from './pacing/paces.repository.js';
import { DeliveriesRepository } from './processing/deliveries.repository.js';
import { DeliveryLedger } from './processing/delivery-ledger.js';
import { DeliveryProcessor } from './processing/delivery-processor.js';
import { DeliverySender } from './processing/delivery-sender.js';
import { DeliveryTargetsRead } from './processing/delivery-targets.read.js';
import {
  bullConnections,
  BullDeliveryQueue,
  bullSettings,
  DELIVERIES_QUEUE,
  type DeliveryJob,
  DeliveryQueue,
  InProcessDeliveryQueue,
} from './queue/index.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { ReconciliationRead } from './reconciliation/reconciliation.read.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { UndeliveredEventsRead } from './reconciliation/undelivered-events.read.js';
import { MissingDeliveriesService } from './redelivery/missing-deliveries.service.js';
import { RedeliveryController } from './redelivery/redelivery.controller.js';
import { RedeliveryRepository } from './redelivery/redelivery.repository.js';
import { ReplayService } from './redelivery/replay.service.js';
import { RetryService } from './redelivery/retry.service.js';
import { EventRelay } from './relay/event-relay.js';
import { RelayRepository } from './relay/relay.repository.js';
import { WebhookStatisticsController } from './statistics/webhook-statistics.controller.js';
import { WebhookStatisticsRead } from './statistics/webhook-statistics.read.js';
import { WebhookStatisticsService } from './statistics/webhook-statistics.service.js';
import { DeliverySweeper } from './sweeping/delivery-sweeper.js';
import { DueDeliveriesRead } from './sweeping/due-deliveries.read.js';
import { HeldDeliveriesRepository } from './sweeping/held-deliveries.repository.js';
import { TestDeliveriesRepository } from './test-delivery/test-deliveries.repository.js';
import { TestDeliveryController } from './test-delivery/test-delivery.controller.js';
import { TestDeliveryService } from './test-delivery/test-delivery.service.js';

/** Relaying, sending and retrying of webhook deliveries. With Redis, Bull says when; without, a queue in this process does. */
@Module({})
export class DeliveryModule {
  static forRoot(config: AppConfig): DynamicModule {
    const { imports, provider } = queueFor(config);
    return {
      module: DeliveryModule,
      imports: [EventLogModule, OrganizationsModule, OutboundModule, ThreatsModule, WebhooksModule, ...imports],
      controllers: [
        TestDeliveryController,
        DeliveryHistoryController,
        RedeliveryController,
        ReconciliationController,
        WebhookStatisticsController,
      ],
      providers: [
        provider,
        DeliveryWorker,
        DeliveryConnections,
        DeliveryMetrics,
        DeliveryTraces,
        EventRelay,
        RelayRepository,
        DeliveryProcessor,
        DeliveryLedger,
        DeliveryPacer,
        PacesRepository,
        DeliveriesRepository,
        DeliveryTargetsRead,
        DeliverySender,
        DeliverySweeper,
        DueDeliveriesRead,
        HeldDeliveriesRepository,
        FailureWatch,
        FailingWebhooksRepository,
        WebhookAlerts,
        TestDeliveryService,
        TestDeliveriesRepository,
        DeliveryHistoryRead,
        DeliveryDetailsService,
        RetryService,
        ReplayService,
        RedeliveryRepository,
        MissingDeliveriesService,
        ReconciliationService,
        ReconciliationRead,
        UndeliveredEventsRead,
        WebhookStatisticsService,
        WebhookStatisticsRead,
        {
          provide: GuardedHttpClient,
          inject: [NetworkPolicy],
          useFactory: (policy: NetworkPolicy) => new GuardedHttpClient(policy),
        },
      ],
      exports: [DeliveryQueue],
    };
  }
}

/** Only with REDIS_URL does anything connect to Redis. */
function queueFor(config: AppConfig): { imports: DynamicModule[]; provider: Provider } {
  if (config.redisUrls.length === 0)
    return { imports: [], provider: { provide: DeliveryQueue, useClass: InProcessDeliveryQueue } };
  const connections = bullConnections(config.redisUrls);
  return {
    imports: [BullModule.registerQueue({ name: DELIVERIES_QUEUE, ...bullSettings(connections, config.serviceName) })],
    provider: {
      provide: DeliveryQueue,
      inject: [getQueueToken(DELIVERIES_QUEUE)],
      useFactory: (queue: Queue<DeliveryJob>) => new BullDeliveryQueue(queue, connections),
    },
  };
}
