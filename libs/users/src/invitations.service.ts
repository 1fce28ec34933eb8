import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#common';
import { AppConfig } from '#config';
import { invitationMail, MessageOutbox } from '#mail';
import { OrganizationScopes } from '#organizations';
import { OneTimeTokens } from '#sessions';
import type { User } from './user.entity.js';

const LIFETIME_MS = 7 * 24 * 3_600_000;

/** Invites users to set a password: a link that works once, for seven days. */
@Injectable()
export class Invitations {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly messages: MessageOutbox,
    private readonly scopes: OrganizationScopes,
    private readonly config: AppConfig,
  ) {}

  /** Writes invitation and mail in the caller's transaction; older links of the user die. */
  async send(ctx: RequestContext, organization: OrganizationScope, user: User): Promise<void> {
    await this.tokens.voidAll(ctx, user, 'invitation');
    const { token, expiresAt } = await this.tokens.issue(ctx, {
      purpose: 'invitation',
      user: { tenantId: user.tenantId, id: user.id },
      organizationId: organization.id,
      lifetimeMs: LIFETIME_MS,
      boundTo: user.emailKey,
    });
    const link = `${this.config.baseUrl}/accept-invitation?token=${encodeURIComponent(token)}`;
    const branding = await this.scopes.brandingOf(ctx, organization);
    await this.messages.sendMail(ctx, {
      tenantId: organization.tenantId,
      organizationId: organization.id,
      template: 'invitation',
      to: user.email,
      content: invitationMail({ organizationName: organization.name, link, expiresAt, ...branding }),
    });
  }
}
