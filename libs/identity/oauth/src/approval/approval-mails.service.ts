import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { applicationDecidedMail, applicationRequestedMail, mailStyle, MessageOutbox } from '#platform/mail';
import { MailDefaultsService, OwnerAddresses } from '#directory/organizations';
import { UserActivationService } from '#directory/users';
import type { AskingUser } from './approval-request.query.js';

interface Decision {
  readonly applicationName: string;
  readonly isApproved: boolean;
  readonly note: string | null;
}

/**
 * Tells owners about requests for applications, and the users about the decision, each in the own language. Its only caller,
 * `ApplicationApprovalsService`, would have 13 dependencies with it.
 */
@Injectable()
export class ApprovalMailsService {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly owners: OwnerAddresses,
    private readonly userActivation: UserActivationService,
    private readonly config: AppConfig,
  ) {}

  async tellOwners(
    ctx: RequestContext,
    organization: OrganizationScope,
    request: { readonly applicationName: string; readonly requesterEmail: string; readonly reason: string },
  ): Promise<void> {
    const { tenantId, id: organizationId, name: organizationName } = organization;
    const defaults = await this.mailDefaults.get(ctx, organization);
    const link = `${this.config.baseUrl}/dashboard/organizations/${organizationId}/applications/requests`;
    for (const { email: to, locale } of await this.owners.find(ctx, organization)) {
      const content = applicationRequestedMail({ ...request, organizationName, link, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { tenantId, organizationId, template: 'application_requested', to, content });
    }
  }

  /** Users who were deleted since their request get no email. */
  async tellUsers(
    ctx: RequestContext,
    organization: OrganizationScope,
    users: readonly AskingUser[],
    decision: Decision,
  ): Promise<void> {
    const { tenantId, id: organizationId, name: organizationName } = organization;
    const defaults = await this.mailDefaults.get(ctx, organization);
    for (const { userTenantId, userId } of users) {
      const found = await this.userActivation.find(ctx, { tenantId: userTenantId, id: userId });
      if (!found) continue;
      const { email: to, locale } = found.user;
      const content = applicationDecidedMail({ ...decision, organizationName, ...mailStyle(defaults, locale) });
      await this.messages.sendMail(ctx, { tenantId, organizationId, template: 'application_decided', to, content });
    }
  }
}
