import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import { type Session, SessionService, type UserKey } from '#directory/sessions';

/** Lists the sessions of a user that still work. */
@Injectable()
export class SessionListingService {
  constructor(
    private readonly sessions: SessionService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
  ) {}

  /** Newest first, without expired sessions and those of deleted organizations. @throws InvalidCursor (400) */
  async page(ctx: RequestContext, user: UserKey, request: PageRequest): Promise<Page<Session>> {
    const ids = await this.sessions.listOrganizationIds(ctx, user);
    const settings = await this.settings.ofMany(ctx, await this.scopes.listByIds(ctx, user.tenantId, ids));
    const times = [...settings].map(([organizationId, { values }]) => ({
      organizationId,
      timeoutSeconds: values.sessionTimeout,
      lifetimeSeconds: values.sessionLifetime,
    }));
    return this.sessions.list(ctx, user, times, request);
  }
}
