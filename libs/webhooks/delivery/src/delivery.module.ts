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
import { HttpDestination, ReceiverKinds, SignedFormat } from './destinations/index.js';
import { GuardedHttpClient } from './guarded-http/index.js';
import { DeliveryOrderQuery } from './ledger/delivery-order.query.js';
import { DeliveryPacer } from './ledger/delivery-pacer.js';
import { PaceQuery } from './ledger/pace.query.js';
import { DeliveryStateQuery } from './ledger/delivery-state.query.js';
import { AttemptTelemetry } from './telemetry/attempt-telemetry.js';
import { DeliveryLedger } from './ledger/delivery-ledger.js';
import { DeliveryAttemptService } from './processing/delivery-attempt.service.js';
import { DeliverySender } from './processing/delivery-sender.js';
import { DeliveryTargetsQuery } from './ledger/delivery-targets.query.js';
import {
  bullConnections,
  type BullDeliveries,
  BullDeliveryQueue,
  bullSettings,
  DELIVERIES_QUEUE,
  DeliveryProcessor,
  DeliveryQueue,
  InProcessDeliveryQueue,
} from './queue/index.js';
import { EventRelay } from './relay/event-relay.js';
import { FanOutService } from './relay/fan-out.service.js';
import { RelayQuery } from './relay/relay.query.js';
import { DeliverySweeper } from './sweeping/delivery-sweeper.js';
import { DueDeliveriesQuery } from './sweeping/due-deliveries.query.js';
import { HeldDeliveriesQuery } from './sweeping/held-deliveries.query.js';

/** Relays events to webhooks, sends and retries deliveries. The queue is Bull if Redis is configured, otherwise in this process. */
@Module({})
export class DeliveryModule {
  static forRoot(config: AppConfig): DynamicModule {
    const { imports, providers } = queueFor(config);
    return {
      module: DeliveryModule,
      global: true,
      imports: [EventLogModule, OrganizationsModule, OutboundModule, ThreatsModule, WebhooksModule, ...imports],
      providers: [
        ...providers,
        DeliveryWorker,
        DeliveryConnections,
        DeliveryMetrics,
        RelayTelemetry,
        EventRelay,
        FanOutService,
        RelayQuery,
        DeliveryAttemptService,
        AttemptTelemetry,
        DeliveryLedger,
        DeliveryOrderQuery,
        DeliveryPacer,
        PaceQuery,
        DeliveryStateQuery,
        DeliveryTargetsQuery,
        DeliverySender,
        HttpDestination,
        SignedFormat,
        ReceiverKinds,
        DeliverySweeper,
        DueDeliveriesQuery,
        HeldDeliveriesQuery,
        FailureWatch,
        FailingWebhooksQuery,
        WebhookAlerts,
        OwnerMailsService,
        {
          provide: GuardedHttpClient,
          inject: [NetworkPolicy],
          useFactory: (policy: NetworkPolicy) => new GuardedHttpClient(policy),
        },
      ],
      exports: [DeliveryOrderQuery, DeliveryQueue, DeliverySender, DeliveryTargetsQuery, ReceiverKinds, RelayQuery, SignedFormat],
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
    providers: config.role === 'api' ? [queue] : [queue, DeliveryProcessor],
  };
}
