import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type PasswordLinkPreview, PasswordPoliciesService, PasswordsService } from '#identity/credentials';
import { OrganizationScopeQuery } from '#directory/organizations';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import {
  FederatedUsersService,
  SignInUsersService,
  UserActivationService,
  type UserAtHome,
  UserSelfService,
} from '#directory/users';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { inEvenTime } from '../even-time.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { MailBudget } from '../links/mail-budget.js';
import { MailedLinksService, type StillMeant } from '../links/mailed-links.service.js';

/** Longer than it takes to write the mail. */
const STEP_MS = 200;

/** New passwords for those who forgot theirs: a link to the account's address, which works once, for an hour. */
@Injectable()
export class PasswordRecoveryService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly signInUsers: SignInUsersService,
    private readonly users: UserActivationService,
    private readonly selfService: UserSelfService,
    private readonly federated: FederatedUsersService,
    private readonly links: MailedLinksService,
    private readonly mails: AccountMailsService,
    private readonly budget: MailBudget,
    private readonly passwords: PasswordsService,
    private readonly policies: PasswordPoliciesService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
    private readonly attempts: SignInAttemptsService,
    private readonly work: UnitOfWork,
  ) {}

  /** Sends the link, if there is somebody to send it to; whether there is can't be told, not even by the time it takes. */
  async forgot(ctx: RequestContext, { organization: handle, email }: { organization: string; email: string }): Promise<void> {
    await inEvenTime(STEP_MS, async () => {
      const organization = await this.scopes.findScope(ctx, handle);
      const found = await this.signInUsers.find(ctx, organization, email);
      if (!organization || organization.status !== 'active' || found?.user.status !== 'active') return;
      if (!(await this.budget.spend(organization, email))) return;
      await this.work.run(ctx, async (ctx) => {
        const locked = await this.users.lock(ctx, found.user);
        if (locked?.user.status !== 'active' || locked.user.emailKey !== found.user.emailKey) return;
        const { id: userId, email: address } = locked.user;
        const expiresAt = (await this.mails.sendPasswordReset(ctx, organization, locked.user)).toISOString();
        const data = { userId, email: address, requestedBy: 'user', expiresAt } as const;
        await this.work.publish(ctx, 'user.password_reset_requested', locked.home, data, { userId });
      });
    });
  }

  /** What the link is for; using it up is left to `reset`. @throws LinkInvalid (400) */
  async look(ctx: RequestContext, token: string): Promise<PasswordLinkPreview> {
    const { token: found, owner } = await this.links.look(ctx, token, 'password_reset', mayReset);
    const organization = (await this.scopes.findScope(ctx, found.organizationId)) ?? owner.home;
    const branding = await this.scopes.getBranding(ctx, organization);
    const passwordPolicy = await this.policies.of(ctx, owner.home);
    const { email, firstName, lastName } = owner.user;
    return { email, firstName, lastName, organization, branding, expiresAt: found.expiresAt, passwordPolicy };
  }

  /**
   * Sets the password, ends all sessions, and voids every pending link and change of the account; of an account whose address was not proven
   * before, it also removes the linked identities. It opens no session, and takes away neither second factors nor a suspension.
   * @throws LinkInvalid (400), PasswordRefused (422), HashingOverloaded (503)
   */
  async reset(ctx: RequestContext, { token, password }: { token: string; password: string }): Promise<void> {
    return this.links.watched(ctx, token, 'password_reset', async () => {
      const link = await this.links.look(ctx, token, 'password_reset', mayReset);
      const prepared = await this.passwords.prepare(ctx, link.owner, password);
      return this.links.use(ctx, link, token, mayReset, async (ctx, { owner }) => {
        const { user, home } = owner;
        if (!user.emailVerified) await this.proveAddress(ctx, owner);
        await this.passwords.store(ctx, owner, prepared, 'reset');
        await this.tokens.voidAll(ctx, user);
        await this.sessions.revokeAll(ctx, user, 'password_reset', home);
        // Whoever reads the account's mail is its owner: what others guessed no longer keeps it locked for this address.
        await this.attempts.reset(ctx, user);
        await this.attempts.trustAddress(ctx, user);
        await this.mails.sendPasswordChanged(ctx, home, user);
      });
    });
  }

  /** The link proves the address. Whoever linked an identity before may have been somebody else. */
  private async proveAddress(ctx: RequestContext, owner: UserAtHome): Promise<void> {
    await this.federated.unlinkAll(ctx, owner);
    await this.selfService.verifyEmail(ctx, owner);
  }
}

const mayReset: StillMeant = ({ token, owner: { user, home } }) =>
  user.status === 'active' && user.emailKey === token.boundTo && home.status === 'active';
