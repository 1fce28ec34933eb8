import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type ImpersonationNotice, impersonationMail, mailStyle, MessageOutbox } from '#platform/mail';
import { MailDefaultsService, OwnerAddresses } from '#directory/organizations';
import type { UserWithOrganization } from '#directory/users';
import type { Impersonation } from './impersonation.entity.js';

/** Tells users about sign-ins for support as them, and those who must approve about requests. */
@Injectable()
export class ImpersonationMailService {
  constructor(
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly owners: OwnerAddresses,
    private readonly config: AppConfig,
  ) {}

  /** Asks the user or, for the approval by a second person, the owners of the organization. */
  async askForApproval(ctx: RequestContext, owner: UserWithOrganization, impersonation: Impersonation): Promise<void> {
    if (impersonation.approval === 'user') return this.notifyUser(ctx, owner, impersonation, 'requested');
    const recipients = await this.owners.find(ctx, owner.managingOrganization);
    for (const recipient of recipients) await this.send(ctx, owner, impersonation, 'approval', recipient);
  }

  async notifyUser(
    ctx: RequestContext,
    owner: UserWithOrganization,
    impersonation: Impersonation,
    notice: ImpersonationNotice,
  ): Promise<void> {
    await this.send(ctx, owner, impersonation, notice, owner.user);
  }

  private async send(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    { reason, impersonatorEmail, durationSeconds, endsAt }: Impersonation,
    notice: ImpersonationNotice,
    { email: to, locale }: { readonly email: string; readonly locale: string | null },
  ): Promise<void> {
    const { tenantId, id: organizationId, name: organizationName } = managingOrganization;
    const style = mailStyle(await this.mailDefaults.get(ctx, managingOrganization), locale);
    const link = notice === 'approval' ? undefined : `${this.config.baseUrl}/account/acting-for-you`;
    const data = { organizationName, impersonatorEmail, userEmail: user.email, reason, durationSeconds, endsAt };
    const content = impersonationMail({ ...data, notice, ...(link === undefined ? {} : { link }), ...style });
    await this.messages.sendMail(ctx, { tenantId, organizationId, template: `impersonation_${notice}`, to, content });
  }
}
