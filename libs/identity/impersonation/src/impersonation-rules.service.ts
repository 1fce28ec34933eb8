import { Injectable } from '@nestjs/common';
import { reachesItself, type RequestContext, sessionOf } from '#platform/common';
import { SessionAcceptanceService } from '#identity/auth';
import { IDENTITY_PROVIDER } from '#identity/session-access';
import { assertActive, EffectiveSettingsService, type ImpersonationApproval } from '#directory/organizations';
import { type GainAuthorization, PrivilegesService } from '#directory/privileges';
import type { UserWithOrganization } from '#directory/users';
import { ImpersonationForbidden, UserNotActive } from './impersonation-errors.js';

/** Decides who can sign in as whom, before a session exists. `SessionCallersService` decides at each request of the session. */
@Injectable()
export class ImpersonationRulesService {
  constructor(
    private readonly privileges: PrivilegesService,
    private readonly sessionAcceptance: SessionAcceptanceService,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {}

  /**
   * Asserts that the caller can sign in as a user: a person with a recent sign-in, who has the permission in the organization that manages
   * the user and everything that the user has, without break-glass access, and whose session satisfies the rules for the user.
   * @throws ImpersonationForbidden, HigherPrivileges, MfaRequired, NetworkNotAllowed (403), ReauthenticationRequired (401), UserNotActive,
   * OrganizationSuspended (409)
   */
  async authorize(ctx: RequestContext, owner: UserWithOrganization): Promise<GainAuthorization> {
    this.assertPerson(ctx);
    if (ctx.caller.id === owner.user.id) throw new ImpersonationForbidden("You can't sign in as yourself for support.");
    return this.authorizePower(ctx, owner);
  }

  /** Same as `authorize` for the person who approves, who can be the user. */
  async authorizePower(ctx: RequestContext, { user, managingOrganization }: UserWithOrganization): Promise<GainAuthorization> {
    const { caller } = ctx;
    this.assertPerson(ctx);
    if (!reachesItself(caller, managingOrganization))
      throw new ImpersonationForbidden('Break-glass access is not enough to sign in as another user.');
    if (user.status !== 'active') throw new UserNotActive(user.status);
    assertActive(managingOrganization);
    const session = sessionOf(ctx);
    await this.sessionAcceptance.assertAccepted(ctx, session, managingOrganization);
    const { values } = await this.effectiveSettings.get(ctx, managingOrganization);
    if (values.ssoRequired && !session.authenticationMethods.includes(IDENTITY_PROVIDER))
      throw new ImpersonationForbidden(
        'The organization of this user requires the sign-in with an identity provider. Sign in with one first.',
      );
    return this.privileges.authorizeImpersonation(ctx, user);
  }

  /** Returns who must approve that somebody signs in as users of an organization. */
  async approvalFor(ctx: RequestContext, { managingOrganization }: UserWithOrganization): Promise<ImpersonationApproval> {
    return (await this.effectiveSettings.get(ctx, managingOrganization)).values.impersonationApproval;
  }

  /** @throws ImpersonationForbidden (403) unless the caller is a signed-in user */
  assertPerson({ caller, session }: RequestContext): void {
    if (caller.kind !== 'user' || !session)
      throw new ImpersonationForbidden('Only a signed-in user can do this. Use a session token instead of an API key.');
  }
}
