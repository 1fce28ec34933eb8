import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { mailStyle, memberAddedMail, MessageOutbox } from '#platform/mail';
import { MailDefaultsService } from '#directory/organizations';
import type { VisibleRole } from '#directory/roles';
import type { DirectoryUser } from './directory-user.js';

/** Sends emails about memberships, in the transaction of the change. */
@Injectable()
export class MemberMail {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
  ) {}

  async sendAdded(ctx: RequestContext, organization: OrganizationScope, user: DirectoryUser, role: VisibleRole): Promise<void> {
    const style = mailStyle(await this.mailDefaults.get(ctx, organization), user.locale);
    await this.messages.sendMail(ctx, {
      tenantId: organization.tenantId,
      organizationId: organization.id,
      template: 'member_added',
      to: user.email,
      content: memberAddedMail({ organizationName: organization.name, roleName: role.name, ...style }),
    });
  }
}
