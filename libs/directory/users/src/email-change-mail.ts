import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { emailChangedMail, mailStyle, MessageOutbox } from '#platform/mail';
import { MailDefaultsQuery } from '#directory/organizations';
import type { User } from './user.entity.js';

/** Notifies the previous and the new email address of a user of the change. */
@Injectable()
export class EmailChangeMail {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsQuery,
  ) {}

  async send(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: Pick<User, 'locale'>,
    from: string,
    to: string,
  ): Promise<void> {
    const style = mailStyle(await this.mailDefaults.get(ctx, organization), user.locale);
    const content = emailChangedMail({ organizationName: organization.name, from, to, ...style });
    const about = { tenantId: organization.tenantId, organizationId: organization.id, template: 'email_changed', content };
    await this.messages.sendMail(ctx, { ...about, to: from });
    await this.messages.sendMail(ctx, { ...about, to });
  }
}
