import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery, strictestSettings } from '#directory/organizations';
import { type Session, SessionService } from '#directory/sessions';
import type { UserWithOrganization } from '#directory/users';

@Injectable()
export class SessionListingService {
  constructor(
    private readonly sessions: SessionService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {}

  /** Returns a page of active sessions, newest first, without sessions in deleted organizations. @throws InvalidCursor (400) */
  async list(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    request: PageRequest,
  ): Promise<Page<Session>> {
    const ids = await this.sessions.listOrganizationIds(ctx, user);
    const organizations = await this.organizationScopes.listByIds(ctx, user.tenantId, ids);
    const settings = await this.effectiveSettings.getMany(ctx, [managingOrganization, ...organizations]);
    const times = organizations.map(({ id: organizationId }) => {
      const both = [managingOrganization.id, organizationId].map((id) => settings.get(id)!.values);
      const { sessionTimeout, sessionLifetime } = strictestSettings(both);
      return { organizationId, timeoutSeconds: sessionTimeout, lifetimeSeconds: sessionLifetime };
    });
    return this.sessions.list(ctx, user, times, request);
  }
}
