import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, permissionsAt, reaches, type RequestContext, ResourceNotFound } from '#platform/common';
import { EffectiveSettingsService, isTooOld, lacksSecondFactor, OrganizationScopeQuery } from '#directory/organizations';
import { callerOf } from '../callers/session.authenticator.js';
import { hasRoleIn, SessionCallersService, type ActiveSession } from '../callers/session-callers.service.js';
import type { VerifiedSessionResponse, VerifySessionRequest } from './session-verification.requests.js';
import { VisibleUsersQuery } from './visible-users.query.js';

@Injectable()
export class SessionVerificationService {
  constructor(
    private readonly sessionCallers: SessionCallersService,
    private readonly visibleUsers: VisibleUsersQuery,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the session of a token, and records the activity. Returns `active: false` if the session has ended, is enrolment-only, lacks
   * the MFA that the requested organization requires, is too old for it, or belongs to a suspended organization, and if the requested
   * organization is suspended.
   * @throws ResourceNotFound (404) for an organization that the caller has no access to
   */
  async verify(ctx: RequestContext, { token, organization: handle }: VerifySessionRequest): Promise<VerifiedSessionResponse> {
    const organization = handle === undefined ? undefined : await this.getOrganization(ctx, handle);
    const activeSession = await this.sessionCallers.find(token);
    if (organization?.status === 'suspended') return { active: false };
    if (!activeSession || activeSession.enrolmentOnly || activeSession.user.suspended) return { active: false };
    const { session, user } = activeSession;
    const { guestTenantIds } = user;
    if (!(await this.visibleUsers.isVisible(ctx, { tenantId: session.tenantId, id: session.userId, guestTenantIds })))
      return { active: false };
    if (organization && !(await this.isAccepted(ctx, activeSession, organization))) return { active: false };

    const signInOrganization =
      hasRoleIn(user, session.organizationId) && (await this.organizationScopes.findScope(ctx, session.organizationId));
    return {
      active: true,
      userId: session.userId,
      sessionId: session.id,
      ...(signInOrganization && reaches(ctx.caller, signInOrganization) ? { organizationId: signInOrganization.id } : {}),
      authenticationMethods: [...session.authenticationMethods],
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      ...(organization ? { permissions: [...permissionsAt(callerOf(activeSession), organization)] } : {}),
    };
  }

  private async getOrganization(ctx: RequestContext, handle: string): Promise<OrganizationScope> {
    const scope = await this.organizationScopes.findScope(ctx, handle);
    if (!scope || !reaches(ctx.caller, scope)) throw new ResourceNotFound('organization', handle);
    return scope;
  }

  /** The request comes from the network of the calling service, so the networks don't count. */
  private async isAccepted(ctx: RequestContext, { session }: ActiveSession, organization: OrganizationScope): Promise<boolean> {
    const rules = await this.effectiveSettings.getSessionRules(ctx, [organization]);
    return !lacksSecondFactor(rules, session) && !isTooOld(rules, session, this.clock.now());
  }
}
