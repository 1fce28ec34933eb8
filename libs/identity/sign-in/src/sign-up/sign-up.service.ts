import { Injectable } from '@nestjs/common';
import { Clock, DomainError, type OrganizationScope, type RequestContext } from '#platform/common';
import { PasswordsService, type PreparedPassword } from '#identity/credentials';
import { TransactionRunner } from '#platform/database';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import { OneTimeTokenService } from '#directory/sessions';
import { EmailTaken, FederatedUsersService, type Registration, type UserAtHome, UserSelfService } from '#directory/users';
import { AttemptQueue } from '../attempts/attempt-queue.js';
import { inEvenTime } from '../even-time.js';
import { AccountMailsService } from '../links/account-mails.service.js';
import { MailBudget } from '../links/mail-budget.js';

/** Longer than it takes to write user, event and mail. */
const STEP_MS = 250;

export interface SignUpWish extends Registration {
  /** Slug or id. */
  readonly organization: string;
  readonly password: string;
}

/** The organization takes no sign-ups, or is not known: 403. */
export class SignUpClosed extends DomainError {
  readonly code = 'sign_up_closed';
  readonly kind = 'forbidden';
  constructor() {
    super('This organization does not allow sign-ups. Ask an administrator for an invitation.');
  }
}

/**
 * Lets people make accounts for themselves where the organization allows it. Whether an address has an account is told to its owner
 * alone, by mail.
 */
@Injectable()
export class SignUpsService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
    private readonly users: UserSelfService,
    private readonly queue: AttemptQueue,
    private readonly passwords: PasswordsService,
    private readonly federated: FederatedUsersService,
    private readonly tokens: OneTimeTokenService,
    private readonly mails: AccountMailsService,
    private readonly budget: MailBudget,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a pending user, whom the link in the mail makes active; an address that has an account gets another mail.
   * @throws SignUpClosed (403), DomainNotAllowed, PasswordRefused (422), TooManySignIns (429), HashingOverloaded (503)
   */
  async signUp(ctx: RequestContext, wish: SignUpWish): Promise<void> {
    const organization = await this.scopes.findScope(ctx, wish.organization);
    if (organization?.status !== 'active') throw new SignUpClosed();
    if (!(await this.settings.of(ctx, organization)).values.allowPublicSignup) throw new SignUpClosed();
    const { email, firstName, lastName, locale } = wish;
    const registration = { email, firstName, lastName, locale };
    const draft = await this.users.draft(ctx, organization, registration, this.clock.now());
    const prepared = await this.passwords.prepare(ctx, draft, wish.password, (hashing) => this.queue.run(ctx, wish, hashing));
    await inEvenTime(STEP_MS, async () => {
      const mayMail = await this.budget.spend(organization, email);
      if (mayMail) await this.enter({ ...ctx, actor: { type: 'user', email } }, organization, registration, prepared);
    });
  }

  private async enter(
    ctx: RequestContext,
    organization: OrganizationScope,
    registration: Registration,
    prepared: PreparedPassword,
  ): Promise<void> {
    const enter = () =>
      this.transactions.run(ctx, async (ctx) => {
        const owner = await this.users.lockByEmail(ctx, organization.tenantId, registration.email);
        if (owner) return this.answerOwner(ctx, organization, owner);
        const created = await this.users.register(ctx, organization, registration);
        await this.passwords.store(ctx, created, prepared, 'sign_up');
        await this.mails.sendVerification(ctx, organization, created.user, 'sign_up');
      });
    try {
      await enter();
    } catch (error) {
      // Somebody else took the address at the same moment, and is its owner by now.
      if (!(error instanceof EmailTaken)) throw error;
      await enter();
    }
  }

  /**
   * An account stands already. One that a sign-up or an identity provider began, and that nobody confirmed, may have been begun by a stranger
   * with a password or an identity of the stranger's: its owner gets a link that sets the password anew, and what was sent before is worth nothing.
   */
  private async answerOwner(ctx: RequestContext, organization: OrganizationScope, owner: UserAtHome): Promise<void> {
    const { user } = owner;
    if (user.status !== 'pending' || !(await this.tokens.wasIssued(ctx, user, 'email_verification')))
      return this.mails.sendAccountExists(ctx, organization, user);
    await this.passwords.delete(ctx, user);
    await this.federated.unlinkAll(ctx, owner);
    await this.users.invite(ctx, owner);
  }
}
