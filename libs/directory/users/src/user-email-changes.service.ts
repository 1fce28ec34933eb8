import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { emailChangedMail, mailStyle, MessageOutbox } from '#platform/mail';
import { EffectiveSettingsService, MailDefaultsService } from '#directory/organizations';
import { OneTimeTokenService } from '#directory/sessions';
import type { User } from './user.entity.js';
import { assertDomainAllowed } from './user-values.js';

/** Checks new email addresses of users, and completes changes of email addresses. */
@Injectable()
export class UserEmailChangesService {
  constructor(
    private readonly settings: EffectiveSettingsService,
    private readonly tokens: OneTimeTokenService,
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
  ) {}

  /** @throws DomainNotAllowed (422) when the organization does not allow the domain of the address */
  async assertAllowed(ctx: RequestContext, organization: OrganizationScope, email: string): Promise<void> {
    assertDomainAllowed(email, (await this.settings.get(ctx, organization)).values);
  }

  /** Invalidates all emailed links of the user, and notifies the previous and the new address. */
  async complete(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: Pick<User, 'tenantId' | 'id' | 'locale'>,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<void> {
    await this.tokens.voidAll(ctx, user);
    const style = mailStyle(await this.mailDefaults.get(ctx, organization), user.locale);
    const content = emailChangedMail({ organizationName: organization.name, from, to, ...style });
    const { tenantId, id: organizationId } = organization;
    const message = { tenantId, organizationId, template: 'email_changed', content };
    for (const address of [from, to]) await this.messages.sendMail(ctx, { ...message, to: address });
  }
}
