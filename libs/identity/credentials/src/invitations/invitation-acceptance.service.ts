import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { unneeded } from '#directory/privileges';
import { type AcceptedNames, SsoRequirementService, UnconfirmedAccessService, UserActivationService } from '#directory/users';
import { PasswordsService } from '../passwords/passwords.service.js';
import { InvitationTokensService } from './invitation-tokens.service.js';

export interface Acceptance extends AcceptedNames {
  readonly token: string;
  readonly password: string;
}

export interface AcceptedInvitation {
  readonly userId: string;
  readonly status: 'active';
  readonly organizationId: string;
}

/** Sets the first password of an invited user and activates the user. The link works once and verifies the email address. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly invitationTokens: InvitationTokensService,
    private readonly userActivation: UserActivationService,
    private readonly unconfirmedAccess: UnconfirmedAccessService,
    private readonly passwords: PasswordsService,
    private readonly transactions: TransactionRunner,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /** @throws InvitationInvalid (400), SsoRequired (403), PasswordRefused (422), HashingOverloaded (503) */
  async accept(ctx: RequestContext, { token, password, firstName, lastName }: Acceptance): Promise<AcceptedInvitation> {
    const { invited, key } = await this.invitationTokens.getInvited(ctx, token);
    await this.ssoRequirement.assertNotRequired(ctx, invited);
    const { user } = invited;
    const renamed = { ...user, firstName: firstName ?? user.firstName, lastName: lastName ?? user.lastName };
    const prepared = await this.passwords.prepare(ctx, { ...invited, user: renamed }, password);
    const asUser: RequestContext = { ...ctx, actor: { type: 'user', id: user.id, email: user.email } };
    return this.transactions.run(asUser, async (ctx) => {
      const locked = await this.invitationTokens.consume(ctx, token, key);
      await this.unconfirmedAccess.strip(ctx, locked, 'account_invited');
      await this.passwords.store(ctx, locked, prepared, 'invitation', unneeded<'sign_in'>('mailed_link'));
      await this.userActivation.activate(ctx, locked, { firstName, lastName });
      const { id: userId, organizationId } = locked.user;
      return { userId, status: 'active', organizationId };
    });
  }
}
