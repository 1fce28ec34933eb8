import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#common';
import { breakGlassMail, MessageOutbox } from '#mail';
import { OrganizationScopes, OwnerAddresses } from '#organizations';
import type { BreakGlassRequest } from './break-glass-request.entity.js';

/** Tells every owner that somebody wants their power, and when it was given. */
@Injectable()
export class BreakGlassMail {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly scopes: OrganizationScopes,
    private readonly owners: OwnerAddresses,
  ) {}

  /** About a wish, or about a grant where the request has an end. */
  async send(ctx: RequestContext, organization: OrganizationScope, request: BreakGlassRequest): Promise<void> {
    const { requesterEmail, reason, durationSeconds, endsAt } = request;
    const branding = await this.scopes.brandingOf(ctx, organization);
    const content = breakGlassMail({
      organizationName: organization.name,
      requesterEmail,
      reason,
      durationSeconds,
      endsAt,
      ...branding,
    });
    const template = endsAt ? 'break_glass_approved' : 'break_glass_requested';
    const about = { tenantId: organization.tenantId, organizationId: organization.id, template, content };
    for (const to of await this.owners.find(ctx, organization)) await this.messages.sendMail(ctx, { ...about, to });
  }
}
