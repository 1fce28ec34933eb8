import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PasswordsService, type PreparedPassword } from '#identity/credentials';
import { unneeded } from '#directory/privileges';
import { EmailTaken, type Registration, type UserWithOrganization, UserSelfService } from '#directory/users';
import { AccountAccessMailsService } from '../accounts/account-access-mails.service.js';
import { AccountMailsService } from '../links/account-mails.service.js';

export interface RegistrationRequest extends Registration {
  readonly password: string;
}

export interface PreparedRegistration {
  readonly registration: Registration;
  readonly password: PreparedPassword;
}

@Injectable()
export class RegistrationsService {
  constructor(
    private readonly userSelf: UserSelfService,
    private readonly passwords: PasswordsService,
    private readonly accountAccessMails: AccountAccessMailsService,
    private readonly accountMails: AccountMailsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Validates the registration and hashes the password, outside a transaction. `limit` runs the hashing when a slot is free.
   * @throws DomainNotAllowed, PasswordRefused (422), and the errors of `limit`
   */
  async prepare(
    ctx: RequestContext,
    organization: OrganizationScope,
    { email, firstName, lastName, locale, password }: RegistrationRequest,
    limit: Parameters<PasswordsService['prepare']>[3],
  ): Promise<PreparedRegistration> {
    const registration = { email, firstName, lastName, locale };
    const draft = await this.userSelf.draft(ctx, organization, registration, this.work.now());
    return { registration, password: await this.passwords.prepare(ctx, draft, password, limit) };
  }

  /** Inserts a pending user and sends the activation link. If the address has an account, sends the owner the next step. */
  async register(ctx: RequestContext, organization: OrganizationScope, prepared: PreparedRegistration): Promise<void> {
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
