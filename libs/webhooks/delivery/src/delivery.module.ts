import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { BullModule, getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { AppConfig } from '#platform/config';
import { EventLogModule } from '#platform/event-log';
import { OrganizationsModule } from '#directory/organizations';
import { NetworkPolicy, OutboundModule } from '#platform/outbound';
import { ThreatsModule } from '#platform/threats';
import { WebhooksModule } from '#webhooks/webhooks';
import { FailingWebhooksQuery } from './alerts/failing-webhooks.query.js';
import { FailureWatch } from './alerts/failure-watch.js';
import { OwnerMailsService } from './alerts/owner-mails.service.js';
import { WebhookAlerts } from './alerts/webhook-alerts.js';
import { DeliveryConnections } from './delivery-connections.js';
import { DeliveryMetrics } from './telemetry/delivery-metrics.js';
import { RelayTelemetry } from './telemetry/relay-telemetry.js';
import { DeliveryWorker } from './delivery-worker.js';
import { GuardedHttpClient } from './guarded-http/index.js';
import { DeliveryDetailsService } from './history/delivery-details.service.js';
import { DeliveryHistoryController } from './history/delivery-history.controller.js';
import { DeliveryHistoryQuery } from './history/delivery-history.query.js';
import { DeliveryPacer } from './pacing/delivery-pacer.js';
import { PaceQuery } from './pacing/pace.query.js';
import { DeliveryStateQuery } from './processing/delivery-state.query.js';
import { AttemptTelemetry } from './telemetry/attempt-telemetry.js';
import { DeliveryLedger } from './processing/delivery-ledger.js';
import { DeliveryProcessor } from './processing/delivery-processor.js';
import { DeliverySender } from './processing/delivery-sender.js';
import { DeliveryTargetsQuery } from './processing/delivery-targets.query.js';
import {
  bullConnections,
  type BullDeliveries,
  BullDeliveryQueue,
  bullSettings,
  DELIVERIES_QUEUE,
  DeliveriesProcessor,
  DeliveryQueue,
  InProcessDeliveryQueue,
} from './queue/index.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { DeliveryReconciliationQuery } from './reconciliation/delivery-reconciliation.query.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { UndeliveredEventsQuery } from './reconciliation/undelivered-events.query.js';
import { MissingDeliveriesService } from './redelivery/missing-deliveries.service.js';
import { RedeliveryController } from './redelivery/redelivery.controller.js';
import { RedeliveryQuery } from './redelivery/redelivery.query.js';
import { ReplayService } from './redelivery/replay.service.js';
import { RetryService } from './redelivery/retry.service.js';
import { EventRelay } from './relay/event-relay.js';
import { FanOutService } from './relay/fan-out.service.js';
import { RelayQuery } from './relay/relay.query.js';
import { WebhookStatisticsController } from './statistics/webhook-statistics.controller.js';
import { WebhookStatisticsQuery } from './statistics/webhook-statistics.query.js';
import { WebhookStatisticsService } from './statistics/webhook-statistics.service.js';
import { DeliverySweeper } from './sweeping/delivery-sweeper.js';
import { DueDeliveriesQuery } from './sweeping/due-deliveries.query.js';
import { HeldDeliveriesQuery } from './sweeping/held-deliveries.query.js';
import { TestDeliveryQuery } from './test-delivery/test-delivery.query.js';
import { TestDeliveryController } from './test-delivery/test-delivery.controller.js';
import { TestDeliveryService } from './test-delivery/test-delivery.service.js';

/** Relays events to webhooks, sends and retries deliveries. The queue is Bull if Redis is configured, otherwise in this process. */
@Module({})
export class DeliveryModule {
  static forRoot(config: AppConfig): DynamicModule {
    const { imports, providers } = queueFor(config);
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
        ...providers,
        DeliveryWorker,
        DeliveryConnections,
        DeliveryMetrics,
        RelayTelemetry,
        EventRelay,
        FanOutService,
        RelayQuery,
        DeliveryProcessor,
        AttemptTelemetry,
        DeliveryLedger,
        DeliveryPacer,
        PaceQuery,
        DeliveryStateQuery,
        DeliveryTargetsQuery,
        DeliverySender,
        DeliverySweeper,
        DueDeliveriesQuery,
        HeldDeliveriesQuery,
        FailureWatch,
        FailingWebhooksQuery,
        WebhookAlerts,
        OwnerMailsService,
        TestDeliveryService,
        TestDeliveryQuery,
        DeliveryHistoryQuery,
        DeliveryDetailsService,
        RetryService,
        ReplayService,
        RedeliveryQuery,
        MissingDeliveriesService,
        ReconciliationService,
        DeliveryReconciliationQuery,
        UndeliveredEventsQuery,
        WebhookStatisticsService,
        WebhookStatisticsQuery,
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

/** Returns the queue. Without REDIS_URL, nothing connects to Redis. Only processes that deliver take jobs. */
function queueFor(config: AppConfig): { imports: DynamicModule[]; providers: Provider[] } {
  if (config.redisUrls.length === 0)
    return { imports: [], providers: [{ provide: DeliveryQueue, useClass: InProcessDeliveryQueue }] };
  const connections = bullConnections(config.redisUrls);
  const queue: Provider = {
    provide: DeliveryQueue,
    inject: [getQueueToken(DELIVERIES_QUEUE)],
    useFactory: (bull: Queue<BullDeliveries>) => new BullDeliveryQueue(bull, connections),
  };
  return {
    imports: [BullModule.registerQueue({ name: DELIVERIES_QUEUE, ...bullSettings(connections, config.serviceName) })],
    providers: config.role === 'api' ? [queue] : [queue, DeliveriesProcessor],
  };
}
