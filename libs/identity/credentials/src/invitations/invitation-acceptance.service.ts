import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { OrganizationScopes } from '#directory/organizations';
import { type OneTimeToken, OneTimeTokens } from '#directory/sessions';
import { type AcceptedNames, FederatedUsersService, UserActivationService, type UserAtHome } from '#directory/users';
import type { PasswordLinkOffer } from '../link-offer.js';
import { PasswordPoliciesService } from '../passwords/password-policies.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { InvitationInvalid } from './invitation-errors.js';

export interface Acceptance extends AcceptedNames {
  readonly token: string;
  readonly password: string;
}

export interface AcceptedInvitation {
  readonly userId: string;
  readonly status: 'active';
  readonly organizationId: string;
}

/** Lets an invited person set a password, which makes the account active. The link proves the e-mail address and works once. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly users: UserActivationService,
    private readonly federated: FederatedUsersService,
    private readonly passwords: PasswordsService,
    private readonly policies: PasswordPoliciesService,
    private readonly scopes: OrganizationScopes,
    private readonly transactions: TransactionRunner,
  ) {}

  /** What the link is for; using it up is left to `accept`, since mail scanners open links, too. @throws InvitationInvalid (400) */
  async look(ctx: RequestContext, token: string): Promise<PasswordLinkOffer> {
    const { invited, expiresAt } = await this.invitedBy(ctx, token);
    const { user, home: organization } = invited;
    const { email, firstName, lastName } = user;
    const branding = await this.scopes.brandingOf(ctx, organization);
    const passwordPolicy = await this.policies.of(ctx, organization);
    return { email, firstName, lastName, organization, branding, expiresAt, passwordPolicy };
  }

  /**
   * Sets the password and makes the user active. Of several at once with the same link, one wins.
   * @throws InvitationInvalid (400), PasswordRefused (422), HashingOverloaded (503)
   */
  async accept(ctx: RequestContext, { token, password, firstName, lastName }: Acceptance): Promise<AcceptedInvitation> {
    const { invited, user: key } = await this.invitedBy(ctx, token);
    const names = { firstName, lastName };
    const called = {
      ...invited.user,
      firstName: firstName ?? invited.user.firstName,
      lastName: lastName ?? invited.user.lastName,
    };
    const prepared = await this.passwords.prepare(ctx, { ...invited, user: called }, password);
    const personal: RequestContext = { ...ctx, actor: { type: 'user', id: invited.user.id, email: invited.user.email } };
    return this.transactions.run(personal, async (ctx) => {
      // The user first, then the token: the order in which sending again takes them.
      const locked = await this.users.lock(ctx, key);
      const consumed = await this.tokens.consume(ctx, token, 'invitation');
      // Looked at again, for what happened while the password was hashed.
      if (!consumed) throw new InvitationInvalid(await this.failureOf(ctx, token));
      if (!mayAccept(locked, consumed)) throw new InvitationInvalid('unknown');
      await this.federated.unlinkAll(ctx, locked);
      await this.passwords.store(ctx, locked, prepared, 'invitation');
      await this.users.activate(ctx, locked, names);
      const { id: userId, organizationId } = locked.user;
      return { userId, status: 'active', organizationId };
    });
  }

  private async invitedBy(ctx: RequestContext, token: string) {
    const found = await this.tokens.inspect(ctx, token, 'invitation');
    if (!found) throw new InvitationInvalid('unknown');
    if (found.state !== 'valid') throw new InvitationInvalid(found.state);
    const user = { tenantId: found.token.tenantId, id: found.token.userId };
    const invited = await this.users.find(ctx, user);
    if (!mayAccept(invited, found.token)) throw new InvitationInvalid('unknown');
    return { invited, user, expiresAt: found.token.expiresAt };
  }

  private async failureOf(ctx: RequestContext, token: string) {
    const state = (await this.tokens.inspect(ctx, token, 'invitation'))?.state;
    return state === undefined || state === 'valid' ? 'unknown' : state;
  }
}

/** Whether user and organization are still what they were when the invitation was sent to this address. */
const mayAccept = (invited: UserAtHome | null, token: OneTimeToken): invited is UserAtHome =>
  invited !== null &&
  invited.user.status === 'pending' &&
  invited.user.emailKey === token.boundTo &&
  invited.home.id === token.organizationId &&
  invited.home.status === 'active';
