import { Injectable } from '@nestjs/common';
import { DomainError, type OrganizationScope, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PasswordsService, type PreparedPassword } from '#identity/credentials';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import {
  EmailTaken,
  type Registration,
  SsoRequirementService,
  type UserWithOrganization,
  UserSelfService,
} from '#directory/users';
import { AccountAccessMailsService } from '../accounts/account-access-mails.service.js';
import { AttemptQueueService } from '../attempts/attempt-queue.service.js';
import { delayToStep } from '../delay-to-step.js';
import { AccountMailsService } from '../links/account-mails.service.js';

/** The response time is a multiple of this step. An insert of the user, the event and the email takes less time. */
const STEP_MS = 250;

export interface SignUp extends Registration {
  /** The slug or id of the organization. */
  readonly organization: string;
  readonly password: string;
}

interface PreparedRegistration {
  readonly registration: Registration;
  readonly password: PreparedPassword;
}

/** The organization does not allow sign-ups, or does not exist: 403. */
export class SignUpClosed extends DomainError {
  readonly code = 'sign_up_closed';
  readonly kind = 'forbidden';
  constructor() {
    super('This organization does not allow sign-ups. Ask an administrator for an invitation.');
  }
}

/** Signs users up in organizations that allow sign-ups. Only an email reveals whether the address already has an account. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly attemptQueue: AttemptQueueService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly userSelf: UserSelfService,
    private readonly passwords: PasswordsService,
    private readonly accountAccessMails: AccountAccessMailsService,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates a pending user and emails the activation link. If the address has an account, sends another email, and the response takes
   * equally long.
   * @throws SignUpClosed, SsoRequired (403), DomainNotAllowed, PasswordRefused (422), TooManySignIns (429), HashingOverloaded (503)
   */
  async signUp(ctx: RequestContext, request: SignUp): Promise<void> {
    const organization = await this.organizationScopes.findScope(ctx, request.organization);
    if (organization?.status !== 'active') throw new SignUpClosed();
    if (!(await this.effectiveSettings.get(ctx, organization)).values.allowPublicSignup) throw new SignUpClosed();
    await this.ssoRequirement.assertNotRequiredIn(ctx, organization);
    const { email } = request;
    const prepared = await this.prepare(ctx, organization, request);
    await delayToStep(STEP_MS, async () => {
      if (!(await this.accountMails.isMailAllowed(organization, email))) return;
      await this.register({ ...ctx, actor: { type: 'user', email } }, organization, prepared);
    });
  }

  /**
   * Validates the registration and hashes the password, outside a transaction, when a slot is free.
   * @throws DomainNotAllowed, PasswordRefused (422), TooManySignIns (429), HashingOverloaded (503)
   */
  private async prepare(ctx: RequestContext, organization: OrganizationScope, request: SignUp): Promise<PreparedRegistration> {
    const { email, firstName, lastName, locale, password } = request;
    const registration = { email, firstName, lastName, locale };
    const draft = await this.userSelf.draft(ctx, organization, registration, this.work.now());
    const limit = <T>(hashing: () => Promise<T>) => this.attemptQueue.run(ctx, request, hashing);
    return { registration, password: await this.passwords.prepare(ctx, draft, password, limit) };
  }

  /** Inserts a pending user and sends the activation link. If the address has an account, sends the owner the next step. */
  private async register(ctx: RequestContext, organization: OrganizationScope, prepared: PreparedRegistration): Promise<void> {
    const isRegistered = await this.tryRegister(ctx, organization, prepared);
    // A concurrent request has registered the address, so the second attempt finds the account. If there is still none, the account belongs
    // to a deleted organization. The account can't be used, and the response must not reveal it.
    if (!isRegistered) await this.tryRegister(ctx, organization, prepared);
  }

  /** Returns false if another user has the address. */
  private async tryRegister(
    ctx: RequestContext,
    organization: OrganizationScope,
    { registration, password }: PreparedRegistration,
  ): Promise<boolean> {
    try {
      await this.work.run(ctx, async (ctx) => {
        const owner = await this.userSelf.lockByEmail(ctx, organization.tenantId, registration.email);
        if (owner) return this.notifyOwner(ctx, owner);
        const created = await this.userSelf.register(ctx, organization, registration);
        await this.passwords.store(ctx, created, password, 'sign_up', unneeded<'sign_in'>('registration'));
        await this.accountMails.sendVerification(ctx, organization, created.user, 'sign_up');
      });
      return true;
    } catch (error) {
      if (!(error instanceof EmailTaken)) throw error;
      return false;
    }
  }

  /** Emails the owner of the existing account the next step. In a suspended organization, users can't sign in or accept an invitation. */
  private async notifyOwner(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    if (owner.managingOrganization.status !== 'active') return;
    if (!(await this.accountAccessMails.send(ctx, owner))) await this.accountMails.sendAccountExists(ctx, owner);
  }
}
