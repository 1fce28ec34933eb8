import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import { type Session, SessionService, type UserKey } from '#directory/sessions';

@Injectable()
export class SessionListingService {
  constructor(
    private readonly sessions: SessionService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {}

  /** Returns a page of active sessions, newest first, without sessions in deleted organizations. @throws InvalidCursor (400) */
  async list(ctx: RequestContext, user: UserKey, request: PageRequest): Promise<Page<Session>> {
    const ids = await this.sessions.listOrganizationIds(ctx, user);
    const settings = await this.effectiveSettings.getMany(ctx, await this.organizationScopes.listByIds(ctx, user.tenantId, ids));
    const times = [...settings].map(([organizationId, { values }]) => ({
      organizationId,
      timeoutSeconds: values.sessionTimeout,
      lifetimeSeconds: values.sessionLifetime,
    }));
    return this.sessions.list(ctx, user, times, request);
  }
}
