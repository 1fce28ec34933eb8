import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { breakGlassMail, mailStyle, MessageOutbox } from '#platform/mail';
import { MailDefaultsService, OwnerAddresses } from '#directory/organizations';
import type { BreakGlassRequest } from './break-glass-request.entity.js';

/** Notifies every owner, in the owner's language, about requested and approved break-glass access. */
@Injectable()
export class BreakGlassMailService {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly owners: OwnerAddresses,
  ) {}

  /** Notifies the owners of the approval if the request is approved, else of the request. */
  async send(ctx: RequestContext, organization: OrganizationScope, request: BreakGlassRequest): Promise<void> {
    const { requesterEmail, reason, durationSeconds, endsAt } = request;
    const defaults = await this.mailDefaults.get(ctx, organization);
    const data = { organizationName: organization.name, requesterEmail, reason, durationSeconds, endsAt };
    const template = endsAt ? 'break_glass_approved' : 'break_glass_requested';
    const envelope = { tenantId: organization.tenantId, organizationId: organization.id, template };
    for (const { email: to, locale } of await this.owners.find(ctx, organization)) {
      const content = breakGlassMail({ ...data, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { ...envelope, to, content });
    }
  }
}
