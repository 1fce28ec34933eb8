import { Injectable } from '@nestjs/common';
import {
  holdsSecondFactor,
  type OrganizationScope,
  permissionsAt,
  reaches,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import { callerOf } from '../callers/session.authenticator.js';
import { SessionCallersService, type ActiveSession } from '../callers/session-callers.service.js';
import type { VerifiedSessionResponse, VerifySessionRequest } from './session-verification.requests.js';
import { VisibleUsersQuery } from './visible-users.query.js';

/** Tells backends whose session a token belongs to. */
@Injectable()
export class SessionVerificationService {
  constructor(
    private readonly callers: SessionCallersService,
    private readonly visibleUsers: VisibleUsersQuery,
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
  ) {}

  /**
   * What a token is worth. A session of a suspended organization is worth nothing while that lasts, one that may only add a second factor nothing yet, nor
   * is one without the second factor that the organization asked about requires. Counts as use of the session.
   * @throws ResourceNotFound (404) for an organization out of reach
   */
  async verify(ctx: RequestContext, { token, organization: handle }: VerifySessionRequest): Promise<VerifiedSessionResponse> {
    const organization = handle === undefined ? undefined : await this.reached(ctx, handle);
    const found = await this.callers.find(token);
    if (!found || found.enrolmentOnly || found.user.suspended) return { active: false };
    const { session } = found;
    if (!(await this.visibleUsers.isVisible(ctx, { tenantId: session.tenantId, id: session.userId }))) return { active: false };
    if (organization && !(await this.satisfies(ctx, found, organization))) return { active: false };

    const signedInTo = await this.scopes.findScope(ctx, session.organizationId);
    return {
      active: true,
      userId: session.userId,
      sessionId: session.id,
      ...(signedInTo && reaches(ctx.caller, signedInTo) ? { organizationId: signedInTo.id } : {}),
      authenticationMethods: [...session.authenticationMethods],
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      ...(organization ? { permissions: [...permissionsAt(callerOf(found), organization)] } : {}),
    };
  }

  private async reached(ctx: RequestContext, handle: string): Promise<OrganizationScope> {
    const scope = await this.scopes.findScope(ctx, handle);
    if (!scope || !reaches(ctx.caller, scope)) throw new ResourceNotFound('organization', handle);
    return scope;
  }

  private async satisfies(ctx: RequestContext, { session }: ActiveSession, organization: OrganizationScope): Promise<boolean> {
    const { values } = await this.settings.of(ctx, organization);
    return !values.requireMfa || holdsSecondFactor(session.authenticationMethods, values.mfaMethods);
  }
}
