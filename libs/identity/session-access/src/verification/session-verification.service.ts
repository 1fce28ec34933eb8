import { Injectable } from '@nestjs/common';
import {
  type Caller,
  Clock,
  type OrganizationScope,
  permissionsAt,
  reaches,
  type RequestContext,
  ResourceNotFound,
  type SessionRules,
} from '#platform/common';
import { EffectiveSettingsService, isTooOld, lacksSecondFactor, OrganizationScopeQuery } from '#directory/organizations';
import { callerOf, hasRoleIn, SessionCallersService, type ActiveSession } from '../callers/session-callers.service.js';
import type { VerifiedSessionResponse, VerifySessionRequest } from './session-verification.requests.js';
import { ImpersonatorResponse } from '../sessions/impersonator.responses.js';
import { VisibleGuestsQuery } from './visible-guests.query.js';

@Injectable()
export class SessionVerificationService {
  constructor(
    private readonly sessionCallers: SessionCallersService,
    private readonly guests: VisibleGuestsQuery,
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
    const [activeSession, rules] = await Promise.all([
      this.sessionCallers.find(token, organizationIdsOf(ctx.caller)),
      organization && this.effectiveSettings.getSessionRules(ctx, [organization]),
    ]);
    if (organization?.status === 'suspended') return { active: false };
    if (!activeSession || activeSession.enrolmentOnly || activeSession.user.suspended) return { active: false };
    const { session, user, impersonator } = activeSession;
    if (
      !activeSession.visible &&
      !(await this.guests.isVisible(ctx, { ...user, tenantId: session.tenantId, id: session.userId }))
    )
      return { active: false };
    if (rules && !this.isAccepted(activeSession, rules)) return { active: false };

    const signInOrganization = { id: session.organizationId, ancestorIds: user.signInPath.slice(0, -1) };
    const showsOrganization = hasRoleIn(user, session.organizationId) && reaches(ctx.caller, signInOrganization);
    return {
      active: true,
      userId: session.userId,
      sessionId: session.id,
      ...(showsOrganization ? { organizationId: session.organizationId } : {}),
      ...(impersonator ? { impersonator: ImpersonatorResponse.from(impersonator) } : {}),
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
  private isAccepted({ session }: ActiveSession, rules: SessionRules): boolean {
    return !lacksSecondFactor(rules, session) && !isTooOld(rules, session, this.clock.now());
  }
}

/** Returns the organizations through which the caller can access users, or undefined if the caller can access all users. */
const organizationIdsOf = ({ kind, organizationIds = [] }: Caller): readonly string[] | undefined =>
  kind === 'platform' || kind === 'system' ? undefined : organizationIds;
