import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type MailContent, type MailStyle, mailStyle, MessageOutbox } from '#platform/mail';
import { MailDefaultsService, OwnerAddresses } from '#directory/organizations';
import type { FailingWebhook } from './failing-webhooks.query.js';

/** Sends emails about a webhook to the owners of its organization. */
@Injectable()
export class OwnerMailsService {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly owners: OwnerAddresses,
    private readonly mailDefaults: MailDefaultsService,
  ) {}

  async send(
    ctx: RequestContext,
    { tenantId, organizationId, organizationName, ancestorIds, name, url }: FailingWebhook,
    template: string,
    write: (details: MailStyle & { organizationName: string; webhookName: string; url: string }) => MailContent,
  ): Promise<void> {
    const organization = { tenantId, id: organizationId, ancestorIds };
    const defaults = await this.mailDefaults.get(ctx, organization);
    // The query of the URL can contain a credential.
    const details = { organizationName, webhookName: name, url: withoutQuery(url) };
    for (const { email: to, locale } of await this.owners.find(ctx, organization)) {
      const content = write({ ...details, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { tenantId, organizationId, template, to, content });
    }
  }
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
