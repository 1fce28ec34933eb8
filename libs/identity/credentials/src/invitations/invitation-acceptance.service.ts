import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { type OneTimeToken, OneTimeTokenService, type UserKey } from '#directory/sessions';
import {
  type AcceptedNames,
  SsoRequirementService,
  UnconfirmedAccessService,
  UserActivationService,
  type UserWithOrganization,
} from '#directory/users';
import type { PasswordLinkPreview } from '../link-preview.js';
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

/** A user whose invitation can still be accepted. */
interface InvitedUser {
  readonly key: UserKey;
  readonly invited: UserWithOrganization;
  readonly expiresAt: Date;
}

/** Sets the first password of an invited user and activates the user. The link works once and verifies the email address. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly userActivation: UserActivationService,
    private readonly unconfirmedAccess: UnconfirmedAccessService,
    private readonly passwords: PasswordsService,
    private readonly passwordPolicies: PasswordPoliciesService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly transactions: TransactionRunner,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /**
   * Returns the preview of an invitation. Does not consume the token, because mail scanners also open links.
   * @throws InvitationInvalid (400), SsoRequired (403)
   */
  async preview(ctx: RequestContext, token: string): Promise<PasswordLinkPreview> {
    const { invited, expiresAt } = await this.getInvited(ctx, token);
    await this.ssoRequirement.assertNotRequired(ctx, invited);
    const { user, managingOrganization: organization } = invited;
    const { email, firstName, lastName } = user;
    const branding = await this.organizationScopes.getBranding(ctx, organization);
    const passwordPolicy = await this.passwordPolicies.get(ctx, organization);
    return { email, firstName, lastName, organization, branding, expiresAt, passwordPolicy };
  }

  /** @throws InvitationInvalid (400), SsoRequired (403), PasswordRefused (422), HashingOverloaded (503) */
  async accept(ctx: RequestContext, { token, password, firstName, lastName }: Acceptance): Promise<AcceptedInvitation> {
    const { invited, key } = await this.getInvited(ctx, token);
    await this.ssoRequirement.assertNotRequired(ctx, invited);
    const { user } = invited;
    const renamed = { ...user, firstName: firstName ?? user.firstName, lastName: lastName ?? user.lastName };
    const prepared = await this.passwords.prepare(ctx, { ...invited, user: renamed }, password);
    const asUser: RequestContext = { ...ctx, actor: { type: 'user', id: user.id, email: user.email } };
    return this.transactions.run(asUser, async (ctx) => {
      const locked = await this.consume(ctx, token, key);
      await this.unconfirmedAccess.strip(ctx, locked, 'account_invited');
      await this.passwords.store(ctx, locked, prepared, 'invitation', unneeded<'sign_in'>('mailed_link'));
      await this.userActivation.activate(ctx, locked, { firstName, lastName });
      const { id: userId, organizationId } = locked.user;
      return { userId, status: 'active', organizationId };
    });
  }

  /** Returns the invited user, without consuming the token. @throws InvitationInvalid (400) */
  private async getInvited(ctx: RequestContext, token: string): Promise<InvitedUser> {
    const inspected = await this.oneTimeTokens.inspect(ctx, token, 'invitation');
    if (!inspected) throw new InvitationInvalid('unknown');
    if (inspected.state !== 'valid') throw new InvitationInvalid(inspected.state);
    const key = { tenantId: inspected.token.tenantId, id: inspected.token.userId };
    const invited = await this.userActivation.find(ctx, key);
    if (!canAccept(invited, inspected.token)) throw new InvitationInvalid(reasonOf(invited));
    return { key, invited, expiresAt: inspected.token.expiresAt };
  }

  /**
   * Locks the invited user, consumes the token and returns the user. Only one of several concurrent calls succeeds.
   * @throws InvitationInvalid (400), also if the user or the organization has changed since `getInvited`
   */
  private async consume(ctx: RequestContext, token: string, key: UserKey): Promise<UserWithOrganization> {
    // Resending an invitation also locks the user before the token. One order prevents deadlocks.
    const invited = await this.userActivation.lock(ctx, key);
    const consumedToken = await this.oneTimeTokens.consume(ctx, token, 'invitation');
    if (!consumedToken) throw new InvitationInvalid(await this.failureOf(ctx, token));
    if (!canAccept(invited, consumedToken)) throw new InvitationInvalid(reasonOf(invited));
    return invited;
  }

  private async failureOf(ctx: RequestContext, token: string) {
    const state = (await this.oneTimeTokens.inspect(ctx, token, 'invitation'))?.state;
    return state === undefined || state === 'valid' ? 'unknown' : state;
  }
}

const reasonOf = (invited: UserWithOrganization | null) => (invited?.user.status === 'active' ? 'activated' : 'unknown');

/** Returns whether the user and the organization are unchanged since the invitation was sent. */
const canAccept = (invited: UserWithOrganization | null, token: OneTimeToken): invited is UserWithOrganization =>
  invited !== null &&
  invited.user.status === 'pending' &&
  invited.user.emailKey === token.boundTo &&
  invited.managingOrganization.id === token.organizationId &&
  invited.managingOrganization.status === 'active';
