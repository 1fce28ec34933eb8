import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#common';
import { emailChangedMail, MessageOutbox } from '#mail';
import { OrganizationScopes } from '#organizations';

/** Tells the old and the new address that one took the other's place, so that no account moves away unnoticed. */
@Injectable()
export class EmailChangeMail {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly scopes: OrganizationScopes,
  ) {}

  async send(ctx: RequestContext, organization: OrganizationScope, from: string, to: string): Promise<void> {
    const branding = await this.scopes.brandingOf(ctx, organization);
    const content = emailChangedMail({ organizationName: organization.name, from, to, ...branding });
    const about = { tenantId: organization.tenantId, organizationId: organization.id, template: 'email_changed', content };
    await this.messages.sendMail(ctx, { ...about, to: from });
    await this.messages.sendMail(ctx, { ...about, to });
  }
}
