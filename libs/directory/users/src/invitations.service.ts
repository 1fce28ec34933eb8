import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { invitationMail, mailedLink, mailStyle, MessageOutbox } from '#platform/mail';
import { MailDefaultsService } from '#directory/organizations';
import type { SignInAuthorization } from '#directory/privileges';
import { OneTimeTokenService } from '#directory/sessions';
import type { UserWithOrganization } from './user-activation.service.js';
import { UserAccessService } from './user-access.service.js';
import { UserDeleted, UserNotPending } from './user-errors.js';
import type { User } from './user.entity.js';

/** Limits the invitations that all callers can send to one user. */
export const INVITATION_LIMIT = { kind: 'invitation', uses: 5, windowSeconds: 3_600 };
const LIFETIME_MS = 7 * 24 * 3_600_000;

/** Invites users to set a password, with a single-use link that is valid for 7 days. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: UserAccessService,
    private readonly tokens: OneTimeTokenService,
    private readonly messages: MessageOutbox,
    private readonly mailDefaults: MailDefaultsService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Sends a new invitation to a pending user and voids earlier invitation links. The link is a way into the account.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403), ReauthenticationRequired (401), UserDeleted, UserNotPending (409)
   */
  async resend(ctx: RequestContext, userId: string): Promise<{ user: User; expiresAt: Date }> {
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.access.lockForChange(ctx, userId);
      if (owner.user.status === 'deleted') throw new UserDeleted(userId);
      if (owner.user.status !== 'pending') throw new UserNotPending(userId);
      const signIn = await this.access.authorizeInvitation(ctx, owner.user);
      return { user: owner.user, expiresAt: await this.resendTo(ctx, owner, signIn) };
    });
  }

  /** Sends a new invitation to a pending user whom the caller has locked, publishes `user.invited` and returns the expiry time. */
  async resendTo(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    signIn: SignInAuthorization,
  ): Promise<Date> {
    const expiresAt = await this.send(ctx, managingOrganization, user, signIn);
    const data = { userId: user.id, email: user.email, expiresAt: expiresAt.toISOString() };
    await this.work.publish(ctx, 'user.invited', managingOrganization, data, { userId: user.id });
    return expiresAt;
  }

  /** Invalidates all emailed links of a user. */
  async voidLinks(ctx: RequestContext, user: User): Promise<void> {
    await this.tokens.voidAll(ctx, user);
  }

  /** Sends an invitation in the caller's transaction and voids earlier invitation links. Returns the expiry time of the link. */
  async send(ctx: RequestContext, organization: OrganizationScope, user: User, signIn: SignInAuthorization): Promise<Date> {
    await this.tokens.voidAll(ctx, user, 'invitation');
    const request = {
      purpose: 'invitation',
      user: { tenantId: user.tenantId, id: user.id },
      organizationId: organization.id,
      lifetimeMs: LIFETIME_MS,
      boundTo: user.emailKey,
    } as const;
    const { token, expiresAt } = await this.tokens.issue(ctx, request, signIn);
    const link = mailedLink(this.config.baseUrl, 'accept-invitation', organization, { token });
    const style = mailStyle(await this.mailDefaults.get(ctx, organization), user.locale);
    await this.messages.sendMail(ctx, {
      tenantId: organization.tenantId,
      organizationId: organization.id,
      template: 'invitation',
      to: user.email,
      content: invitationMail({ organizationName: organization.name, link, expiresAt, ...style }),
    });
    return expiresAt;
  }
}
