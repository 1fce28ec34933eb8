import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { OutboundModule } from '#platform/outbound';
import { FlaggedWebhooks } from './flagged-webhooks.js';
import { InheritedWebhooksQuery } from './inherited-webhooks.query.js';
import { OrganizationWebhooksController } from './organization-webhooks.controller.js';
import { WebhookDraftsService } from './webhook-drafts.service.js';
import { WebhookInputCheck } from './webhook-input.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { PurgedWebhooksQuery } from './purged-webhooks.query.js';
import { WebhooksConfigurationService } from './webhooks-configuration.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhookAccessService } from './webhook-access.service.js';
import { WebhookDetailsQuery } from './webhook-details.query.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhookStateQuery } from './webhook-state.query.js';
import { WebhooksService } from './webhooks.service.js';
import { Webhook } from './webhook.entity.js';
import { WebhookPersonalDataQuery } from './webhook-personal-data.query.js';
import './webhook-notifications.query.js';

/** Webhooks with their subscriptions, secrets and owners. The delivery module sends the events. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), MembershipsModule, OrganizationsModule, OutboundModule],
  controllers: [OrganizationWebhooksController, WebhooksController],
  providers: [
    WebhookAccessService,
    WebhookPersonalDataQuery,
    FlaggedWebhooks,
    InheritedWebhooksQuery,
    WebhooksService,
    WebhookRepository,
    WebhookDetailsQuery,
    WebhookStateQuery,
    PurgedWebhooksQuery,
    WebhookSecrets,
    WebhookInputCheck,
    WebhookDraftsService,
    WebhooksConfigurationService,
  ],
  exports: [WebhooksService, WebhookSecrets],
})
export class WebhooksModule {}
