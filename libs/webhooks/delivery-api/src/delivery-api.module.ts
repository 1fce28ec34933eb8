import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#directory/organizations';
import { WebhooksModule } from '#webhooks/webhooks';
import { DeliveryDetailsService } from './history/delivery-details.service.js';
import { DeliveryHistoryController } from './history/delivery-history.controller.js';
import { DeliveryHistoryQuery } from './history/delivery-history.query.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { DeliveryReconciliationQuery } from './reconciliation/delivery-reconciliation.query.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { UndeliveredEventsQuery } from './reconciliation/undelivered-events.query.js';
import { MissingDeliveriesService } from './redelivery/missing-deliveries.service.js';
import { RedeliveryController } from './redelivery/redelivery.controller.js';
import { RedeliveryQuery } from './redelivery/redelivery.query.js';
import { ReplayService } from './redelivery/replay.service.js';
import { RetryService } from './redelivery/retry.service.js';
import { WebhookStatisticsController } from './statistics/webhook-statistics.controller.js';
import { WebhookStatisticsQuery } from './statistics/webhook-statistics.query.js';
import { WebhookStatisticsService } from './statistics/webhook-statistics.service.js';
import { TestDeliveryQuery } from './test-delivery/test-delivery.query.js';
import { TestDeliveryController } from './test-delivery/test-delivery.controller.js';
import { TestDeliveryService } from './test-delivery/test-delivery.service.js';

/** The API of deliveries: history, retries, replays, reconciliation, statistics and test deliveries. Requires the global `DeliveryModule`. */
@Module({
  imports: [OrganizationsModule, WebhooksModule],
  controllers: [
    TestDeliveryController,
    DeliveryHistoryController,
    RedeliveryController,
    ReconciliationController,
    WebhookStatisticsController,
  ],
  providers: [
    DeliveryDetailsService,
    DeliveryHistoryQuery,
    DeliveryReconciliationQuery,
    MissingDeliveriesService,
    ReconciliationService,
    RedeliveryQuery,
    ReplayService,
    RetryService,
    TestDeliveryQuery,
    TestDeliveryService,
    UndeliveredEventsQuery,
    WebhookStatisticsQuery,
    WebhookStatisticsService,
  ],
  exports: [DeliveryHistoryQuery, ReplayService, RetryService],
})
export class DeliveryApiModule {}
