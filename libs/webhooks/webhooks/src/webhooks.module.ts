import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { OutboundModule } from '#platform/outbound';
import { FlaggedWebhooks } from './flagged-webhooks.js';
import { OrganizationWebhooksController } from './organization-webhooks.controller.js';
import { WebhookInputCheck } from './webhook-input.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksFollowOrganizationsRepository } from './webhooks-follow-organizations.repository.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRead } from './webhooks.read.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';
import { Webhook } from './webhook.entity.js';

/** Webhooks: where events go, and what of them. Sending is the business of the delivery module. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), MembershipsModule, OrganizationsModule, OutboundModule],
  controllers: [OrganizationWebhooksController, WebhooksController],
  providers: [
    FlaggedWebhooks,
    WebhooksService,
    WebhooksRepository,
    WebhooksRead,
    WebhooksFollowOrganizationsRepository,
    WebhookSecrets,
    WebhookInputCheck,
  ],
  exports: [WebhooksService, WebhookSecrets],
})
export class WebhooksModule {}
