import { Injectable } from '@nestjs/common';
import { type OrganizationScope, ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { LinkPreview } from '#identity/credentials';
import { OrganizationScopeQuery } from '#directory/organizations';
import { type OneTimePurpose, OneTimeTokenService, SessionService } from '#directory/sessions';
import { UserActivationService, type UserAtHome, UserSelfService } from '#directory/users';
import { AccountMailsService } from '../links/account-mails.service.js';
import { MailBudget } from '../links/mail-budget.js';
import { LinkInvalid } from '../links/link-errors.js';
import { type MailedLink, MailedLinksService, type StillMeant } from '../links/mailed-links.service.js';
import { newAddressOf } from './email-change-binding.js';

/** What a person may see of a link that confirms an address. */
export interface VerificationOffer extends LinkPreview {
  /** What the link does: makes an account active, confirms its address, moves it to another, or cancels that. */
  readonly kind: 'sign_up' | 'address' | 'change' | 'cancel';
}

/** What a confirmed address led to. */
export interface VerifiedEmail {
  readonly userId: string;
  readonly email: string;
  readonly status: string;
}

/** What came of a change that was cancelled. */
export interface CancelledEmailChange {
  readonly userId: string;
  /** The address that the account keeps. */
  readonly email: string;
  readonly sessionsRevoked: number;
}

const CANCEL = 'email_change_cancel';

/** Proves that e-mail addresses are their users', by links that work once, for a day. */
@Injectable()
export class EmailVerificationService {
  constructor(
    private readonly links: MailedLinksService,
    private readonly tokens: OneTimeTokenService,
    private readonly users: UserActivationService,
    private readonly selfService: UserSelfService,
    private readonly sessions: SessionService,
    private readonly mails: AccountMailsService,
    private readonly budget: MailBudget,
    private readonly scopes: OrganizationScopeQuery,
    private readonly work: UnitOfWork,
  ) {}

  /** Sends the signed-in user the link; none if the address was proven before. Gives until when it works. @throws RateLimited (429) */
  async send(ctx: RequestContext): Promise<{ email: string; expiresAt?: Date }> {
    const found = await this.users.find(ctx, ownUserOf(ctx));
    if (found && !found.user.emailVerified) await this.budget.demand(found.home, found.user.email);
    return this.work.run(ctx, async (ctx) => {
      const key = ownUserOf(ctx);
      const owner = await this.users.lock(ctx, key);
      if (!owner) throw new ResourceNotFound('user', key.id);
      const { user, home } = owner;
      if (user.emailVerified) return { email: user.email };
      await this.tokens.voidAll(ctx, user, 'email_verification');
      return { email: user.email, expiresAt: await this.mails.sendVerification(ctx, home, user, 'address') };
    });
  }

  /** Sends a pending user the link that makes the account active, within what may be sent to an address; older links end. */
  async sendToPending(ctx: RequestContext, organization: OrganizationScope, { user }: UserAtHome): Promise<void> {
    if (!(await this.budget.spend(organization, user.email))) return;
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.users.lock(ctx, user);
      if (owner?.user.status !== 'pending') return;
      await this.tokens.voidAll(ctx, user, 'email_verification');
      await this.mails.sendVerification(ctx, organization, owner.user, 'sign_up');
    });
  }

  /** What the link is for; using it up is left to `verify`, since mail scanners open links, too. @throws LinkInvalid (400) */
  async look(ctx: RequestContext, secret: string): Promise<VerificationOffer> {
    const purpose = await this.tokens.findPurpose(ctx, secret);
    const { token, owner } =
      purpose === CANCEL ? await this.links.look(ctx, secret, CANCEL, stillMeant) : await this.open(ctx, secret);
    const organization = (await this.scopes.findScope(ctx, token.organizationId)) ?? owner.home;
    const branding = await this.scopes.getBranding(ctx, organization);
    const kind = kindOf(token.purpose, owner);
    const email = kind === 'change' ? newAddressOf(token).email : owner.user.email;
    return { email, kind, organization, branding, expiresAt: token.expiresAt };
  }

  /**
   * Confirms the address: a pending user becomes active, a new address takes the old one's place, and other sessions end with that.
   * @throws LinkInvalid (400), EmailTaken (409), DomainNotAllowed (422)
   */
  async verify(ctx: RequestContext, secret: string): Promise<VerifiedEmail> {
    const purpose = await this.purposeOf(ctx, secret);
    return this.links.watched(ctx, secret, purpose, async () => {
      const link = await this.open(ctx, secret);
      return this.links.use(ctx, link, secret, stillMeant, async (ctx, used) => {
        await this.confirm(ctx, used);
        const { id: userId, email, status } = used.owner.user;
        return { userId, email, status };
      });
    });
  }

  /**
   * Cancels the change of the address that was requested, voids every other pending link of the account, and ends all sessions.
   * @throws LinkInvalid (400)
   */
  async cancelChange(ctx: RequestContext, secret: string): Promise<CancelledEmailChange> {
    return this.links.watched(ctx, secret, CANCEL, async () => {
      const link = await this.links.look(ctx, secret, CANCEL, stillMeant);
      return this.links.use(ctx, link, secret, stillMeant, async (ctx, { owner: { user, home } }) => {
        await this.tokens.voidAll(ctx, user);
        const { id: userId, email } = user;
        await this.work.publish(ctx, 'user.email_change_cancelled', home, { userId, email }, { userId });
        return { userId, email, sessionsRevoked: await this.sessions.revokeAll(ctx, user, 'email_change_cancelled', home) };
      });
    });
  }

  private async confirm(ctx: RequestContext, { token, owner }: MailedLink): Promise<void> {
    if (token.purpose === 'email_change') return this.change(ctx, owner, newAddressOf(token));
    await this.tokens.voidAll(ctx, owner.user, 'email_verification');
    if (owner.user.status === 'pending') await this.users.activate(ctx, owner);
    else await this.selfService.verifyEmail(ctx, owner);
  }

  private async change(ctx: RequestContext, owner: UserAtHome, to: { email: string; sessionId: string }): Promise<void> {
    await this.selfService.changeEmail(ctx, owner, to.email);
    await this.sessions.revokeAll(ctx, owner.user, 'email_changed', owner.home, { exceptId: to.sessionId });
  }

  private async open(ctx: RequestContext, secret: string): Promise<MailedLink> {
    return this.links.look(ctx, secret, await this.purposeOf(ctx, secret), stillMeant);
  }

  private async purposeOf(ctx: RequestContext, secret: string): Promise<OneTimePurpose> {
    const purpose = await this.tokens.findPurpose(ctx, secret);
    if (purpose === 'email_verification' || purpose === 'email_change') return purpose;
    throw new LinkInvalid('unknown');
  }
}

function kindOf(purpose: OneTimePurpose, { user }: UserAtHome): VerificationOffer['kind'] {
  if (purpose === 'email_change') return 'change';
  if (purpose === CANCEL) return 'cancel';
  return user.status === 'pending' ? 'sign_up' : 'address';
}

const stillMeant: StillMeant = ({ token, owner: { user, home } }) => {
  if (home.status !== 'active') return false;
  if (token.purpose === 'email_change') return user.status === 'active';
  return ['active', 'pending'].includes(user.status) && user.emailKey === token.boundTo;
};
