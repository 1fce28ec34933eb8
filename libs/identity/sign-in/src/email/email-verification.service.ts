import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { LinkPreview } from '#identity/credentials';
import { OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { type OneTimePurpose, OneTimeTokenService, SessionService } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization, UserSelfService } from '#directory/users';
import { AccountMailsService } from '../links/account-mails.service.js';
import { LinkInvalid } from '../links/link-errors.js';
import { type IsLinkUsable, type MailedLink, MailedLinksService } from '../links/mailed-links.service.js';
import { type NewAddress, newAddressOf } from './email-change-binding.js';

export interface VerificationPreview extends LinkPreview {
  /** Whether the link activates an account, verifies its address, changes the address, or cancels a change. */
  readonly kind: 'sign_up' | 'address' | 'change' | 'cancel';
}

export interface VerifiedEmail {
  readonly userId: string;
  readonly email: string;
  readonly status: string;
}

export interface CanceledEmailChange {
  readonly userId: string;
  readonly email: string;
  readonly sessionsRevoked: number;
}

/** Verifies email addresses with links that work once, within a day. Cancels changes of addresses. */
@Injectable()
export class EmailVerificationService {
  constructor(
    private readonly mailedLinks: MailedLinksService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly userActivation: UserActivationService,
    private readonly userSelf: UserSelfService,
    private readonly sessions: SessionService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Sends the link to the signed-in user, unless the user has confirmed the address. Returns the expiry of the link. Earlier links stop working.
   * @throws RateLimited (429)
   */
  async sendToSelf(ctx: RequestContext): Promise<{ email: string; expiresAt?: Date }> {
    const key = ownUserOf(ctx);
    const signedInUser = await this.userActivation.find(ctx, key);
    if (signedInUser && !signedInUser.user.emailConfirmed)
      await this.accountMails.assertMailAllowed(signedInUser.managingOrganization, signedInUser.user.email);
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      if (!owner) throw new ResourceNotFound('user', key.id);
      const { user, managingOrganization } = owner;
      if (user.emailConfirmed) return { email: user.email };
      await this.oneTimeTokens.voidAll(ctx, user, 'email_verification');
      return {
        email: user.email,
        expiresAt: await this.accountMails.sendVerification(ctx, managingOrganization, user, 'address'),
      };
    });
  }

  /**
   * Sends a pending user the link that activates the account. Sends nothing if the address has received too many emails. Earlier links stop
   * working.
   */
  async sendToPending(ctx: RequestContext, organization: OrganizationScope, { user }: UserWithOrganization): Promise<void> {
    if (!(await this.accountMails.isMailAllowed(organization, user.email))) return;
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, user);
      if (owner?.user.status !== 'pending') return;
      await this.oneTimeTokens.voidAll(ctx, user, 'email_verification');
      await this.accountMails.sendVerification(ctx, organization, owner.user, 'sign_up');
    });
  }

  /** Previews a link. @throws LinkInvalid (400) */
  async preview(ctx: RequestContext, secret: string): Promise<VerificationPreview> {
    const purpose = await this.oneTimeTokens.findPurpose(ctx, secret);
    if (purpose !== 'email_change_cancel' && !isVerification(purpose)) throw new LinkInvalid('unknown');
    const { token, owner } = await this.mailedLinks.get(ctx, secret, purpose, isEmailLinkUsable);
    const organization = (await this.organizationScopes.findScope(ctx, token.organizationId)) ?? owner.managingOrganization;
    const branding = await this.organizationScopes.getBranding(ctx, organization);
    const kind = kindOf(token.purpose, owner);
    const email = kind === 'change' ? newAddressOf(token).email : owner.user.email;
    return { email, kind, organization, branding, expiresAt: token.expiresAt };
  }

  /**
   * Verifies the address, and activates a pending user. A new address replaces the previous address and ends the user's other sessions.
   * @throws LinkInvalid (400), EmailTaken (409), DomainNotAllowed (422)
   */
  async verify(ctx: RequestContext, secret: string): Promise<VerifiedEmail> {
    const purpose = await this.oneTimeTokens.findPurpose(ctx, secret);
    if (!isVerification(purpose)) throw new LinkInvalid('unknown');
    return this.mailedLinks.reportReuse(ctx, secret, purpose, async () => {
      const link = await this.mailedLinks.get(ctx, secret, purpose, isEmailLinkUsable);
      return this.mailedLinks.use(ctx, link, secret, isEmailLinkUsable, async (ctx, { token, owner }) => {
        if (token.purpose === 'email_change') await this.changeAddress(ctx, owner, newAddressOf(token));
        else await this.confirmAddress(ctx, owner);
        const { id: userId, email, status } = owner.user;
        return { userId, email, status };
      });
    });
  }

  /**
   * Cancels an email change with the link that was sent to the current address. Voids the change and all other pending links of the account,
   * and ends all sessions.
   * @throws LinkInvalid (400)
   */
  async cancelChange(ctx: RequestContext, secret: string): Promise<CanceledEmailChange> {
    return this.mailedLinks.reportReuse(ctx, secret, 'email_change_cancel', async () => {
      const link = await this.mailedLinks.get(ctx, secret, 'email_change_cancel', isEmailLinkUsable);
      return this.mailedLinks.use(
        ctx,
        link,
        secret,
        isEmailLinkUsable,
        async (ctx, { owner: { user, managingOrganization } }) => {
          await this.oneTimeTokens.voidAll(ctx, user);
          const { id: userId, email } = user;
          await this.work.publish(ctx, 'user.email_change_cancelled', managingOrganization, { userId, email }, { userId });
          const loss = unneeded<'loss'>('mailed_link');
          const sessionsRevoked = await this.sessions.revokeAll(ctx, user, 'email_change_cancelled', managingOrganization, loss);
          return { userId, email, sessionsRevoked };
        },
      );
    });
  }

  private async confirmAddress(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.oneTimeTokens.voidAll(ctx, owner.user, 'email_verification');
    if (owner.user.status === 'pending') await this.userActivation.activate(ctx, owner);
    else await this.userSelf.verifyEmail(ctx, owner);
  }

  private async changeAddress(ctx: RequestContext, owner: UserWithOrganization, { email, sessionId }: NewAddress): Promise<void> {
    await this.userSelf.changeEmail(ctx, owner, email);
    const loss = unneeded<'loss'>('mailed_link');
    await this.sessions.revokeAll(ctx, owner.user, 'email_changed', owner.managingOrganization, loss, { exceptId: sessionId });
  }
}

const isVerification = (purpose: OneTimePurpose | null): purpose is 'email_verification' | 'email_change' =>
  purpose === 'email_verification' || purpose === 'email_change';

function kindOf(purpose: OneTimePurpose, { user }: UserWithOrganization): VerificationPreview['kind'] {
  if (purpose === 'email_change') return 'change';
  if (purpose === 'email_change_cancel') return 'cancel';
  return user.status === 'pending' ? 'sign_up' : 'address';
}

/** Returns whether an email link works for the current organization and user. */
const isEmailLinkUsable: IsLinkUsable = ({ token, owner: { user, managingOrganization } }: MailedLink) => {
  if (managingOrganization.status !== 'active') return false;
  if (token.purpose === 'email_change') return user.status === 'active';
  return ['active', 'pending'].includes(user.status) && user.emailKey === token.boundTo;
};
