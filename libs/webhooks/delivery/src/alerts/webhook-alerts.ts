import { Injectable, Logger } from '@nestjs/common';
import { newId, type RequestContext, systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import {
  type MailContent,
  type MailStyle,
  mailStyle,
  MessageOutbox,
  webhookDisabledMail,
  webhookFailingMail,
} from '#platform/mail';
import { MailDefaultsQuery, OwnerAddresses } from '#directory/organizations';
import { ThreatDetectionService } from '#platform/threats';
import { WebhooksService } from '#webhooks/webhooks';
import { type FailingWebhook, FailingWebhooksQuery } from './failing-webhooks.query.js';

/** What is to be done about webhooks that fail: they are switched off and on, their owners told by mail, suspicious destinations reported. */
@Injectable()
export class WebhookAlerts {
  private readonly logger = new Logger(WebhookAlerts.name);

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly failing: FailingWebhooksQuery,
    private readonly transactions: TransactionRunner,
    private readonly messages: MessageOutbox,
    private readonly owners: OwnerAddresses,
    private readonly mailDefaults: MailDefaultsQuery,
    private readonly threats: ThreatDetectionService,
  ) {}

  /** Switches a webhook off, unless it is already; what comes for it waits from then on. */
  async disable(tenantId: string, webhookId: string, reason: 'failures' | 'gone'): Promise<void> {
    await this.transactions.run(systemContext(newId('request')), async (ctx) => {
      const disabled = await this.webhooks.disable(ctx, tenantId, [webhookId], reason);
      const webhook = disabled.length > 0 ? await this.failing.get(ctx, tenantId, webhookId) : null;
      if (!webhook) return;
      await this.mailOwners(ctx, webhook, 'webhook_disabled', (shown) => webhookDisabledMail({ ...shown, reason }));
      this.logger.warn({ webhookId, tenantId, reason }, 'Disabled a webhook.');
    });
  }

  /** Switches a webhook on again that failures had switched off. */
  async enableAgain(tenantId: string, webhookId: string): Promise<void> {
    const enabled = await this.webhooks.enable(systemContext(newId('request')), { tenantId, id: webhookId });
    if (enabled) this.logger.log({ webhookId, tenantId }, 'Enabled a webhook again because its destination responds.');
  }

  /** Warns once, until something succeeds. */
  async warn(webhook: FailingWebhook, disabledAt: Date): Promise<void> {
    const { failingSince } = webhook;
    if (!failingSince) return;
    await this.transactions.run(systemContext(newId('request')), async (ctx) => {
      if (!(await this.failing.markWarned(ctx, webhook))) return;
      await this.mailOwners(ctx, webhook, 'webhook_failing', (shown) =>
        webhookFailingMail({ ...shown, failingSince, disabledAt }),
      );
    });
  }

  /** Tells that a destination, good when it was set, led to where no delivery may go. */
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

  private async mailOwners(
    ctx: RequestContext,
    { tenantId, organizationId, organizationName, ancestorIds, name, url }: FailingWebhook,
    template: string,
    write: (shown: MailStyle & { organizationName: string; webhookName: string; url: string }) => MailContent,
  ): Promise<void> {
    const organization = { tenantId, id: organizationId, ancestorIds };
    const defaults = await this.mailDefaults.get(ctx, organization);
    // The query of the URL can contain a credential.
    const shown = { organizationName, webhookName: name, url: withoutQuery(url) };
    for (const { email: to, locale } of await this.owners.find(ctx, organization)) {
      const content = write({ ...shown, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { tenantId, organizationId, template, to, content });
    }
  }
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
