import { Injectable, Logger } from '@nestjs/common';
import { newId, systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { webhookDisabledMail, webhookFailingMail } from '#platform/mail';
import { ThreatDetectionService } from '#platform/threats';
import { WebhooksService } from '#webhooks/webhooks';
import { OwnerMailsService } from './owner-mails.service.js';
import { type FailingWebhook, FailingWebhooksQuery } from './failing-webhooks.query.js';

/** Disables and enables failing webhooks, emails their owners and reports suspicious destinations. */
@Injectable()
export class WebhookAlerts {
  private readonly logger = new Logger(WebhookAlerts.name);

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly failing: FailingWebhooksQuery,
    private readonly transactions: TransactionRunner,
    private readonly ownerMails: OwnerMailsService,
    private readonly threats: ThreatDetectionService,
  ) {}

  /** Disables a webhook, if it is enabled. Its deliveries stay pending. */
  async disable(tenantId: string, webhookId: string, reason: 'failures' | 'gone'): Promise<void> {
    await this.transactions.run(systemContext(newId('request')), async (ctx) => {
      const disabled = await this.webhooks.disable(ctx, tenantId, [webhookId], reason);
      const webhook = disabled.length > 0 ? await this.failing.get(ctx, tenantId, webhookId) : null;
      if (!webhook) return;
      await this.ownerMails.send(ctx, webhook, 'webhook_disabled', (details) => webhookDisabledMail({ ...details, reason }));
      this.logger.warn({ webhookId, tenantId, reason }, 'Disabled a webhook.');
    });
  }

  /** Enables a webhook that failures had disabled. */
  async enable(tenantId: string, webhookId: string): Promise<void> {
    const enabled = await this.webhooks.enable(systemContext(newId('request')), { tenantId, id: webhookId });
    if (enabled) this.logger.log({ webhookId, tenantId }, 'Enabled a webhook again because its destination responds.');
  }

  /** Warns the owners. Warns only once until a delivery succeeds. */
  async warn(webhook: FailingWebhook, disabledAt: Date): Promise<void> {
    const { failingSince } = webhook;
    if (!failingSince) return;
    await this.transactions.run(systemContext(newId('request')), async (ctx) => {
      if (!(await this.failing.markWarned(ctx, webhook))) return;
      await this.ownerMails.send(ctx, webhook, 'webhook_failing', (details) =>
        webhookFailingMail({ ...details, failingSince, disabledAt }),
      );
    });
  }

  /** Reports a destination that was allowed when it was set and now resolves to an internal address. */
  async reportInternalTarget(tenantId: string, webhookId: string): Promise<void> {
    const ctx = systemContext(newId('request'));
    const webhook = await this.failing.get(ctx, tenantId, webhookId);
    if (!webhook) return;
    const { organizationId: id, organizationName: name, ancestorIds } = webhook;
    const signals = { webhookId, host: new URL(webhook.url).host };
    const threat = {
      rule: 'webhook_target_internal',
      riskLevel: 'high',
      subjectId: webhookId,
      signals,
      action: 'refused',
    } as const;
    await this.threats.report(ctx, { id, tenantId, name, ancestorIds }, threat);
  }
}
