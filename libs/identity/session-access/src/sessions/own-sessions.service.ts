import { Injectable } from '@nestjs/common';
import {
  ownUserOf,
  type OrganizationScope,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
  sessionOf,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { OneTimeTokenService, type Session, SessionService } from '#directory/sessions';
import { UserActivationService } from '#directory/users';
import { SessionListingService } from './session-listing.service.js';

const REASON = 'revoked_by_user';

/** What signed-in users do with their own sessions. */
@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly listing: SessionListingService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
    private readonly users: UserActivationService,
    private readonly scopes: OrganizationScopeQuery,
  ) {}

  /** @throws InvalidCursor (400) */
  page(ctx: RequestContext, request: PageRequest): Promise<Page<Session>> {
    return this.listing.page(ctx, ownUserOf(ctx), request);
  }

  /** Ends one session. @throws ResourceNotFound (404) when it is none of the user's, or over */
  async revoke(ctx: RequestContext, sessionId: string): Promise<void> {
    const ended = await this.sessions.revoke(ctx, ownUserOf(ctx), sessionId, REASON, await this.home(ctx));
    if (!ended) throw new ResourceNotFound('session', sessionId);
  }

  /** Ends all sessions but the current one, or that one too; voids every pending link and change of the account; returns the number of sessions. */
  async revokeAll(ctx: RequestContext, { includeCurrent }: { includeCurrent: boolean }): Promise<number> {
    const home = await this.home(ctx);
    const kept = includeCurrent ? {} : { exceptId: sessionOf(ctx).id };
    return this.work.run(ctx, async (ctx) => {
      await this.tokens.voidAll(ctx, ownUserOf(ctx));
      return this.sessions.revokeAll(ctx, ownUserOf(ctx), REASON, home, kept);
    });
  }

  /** Ends the session that asks. One that another request ended meanwhile is over already. */
  async signOut(ctx: RequestContext): Promise<void> {
    const { id: sessionId, organizationId } = sessionOf(ctx);
    const user = ownUserOf(ctx);
    const organization = (await this.scopes.findScope(ctx, organizationId)) ?? (await this.home(ctx));
    await this.work.run(ctx, async (ctx) => {
      if (!(await this.sessions.signOut(ctx, user, sessionId))) return;
      const data = { userId: user.id, sessionId, reason: 'signed_out' };
      await this.work.publish(ctx, 'user.logout', organization, data, { userId: user.id });
    });
  }

  /** The organization that manages the user: what happens to the user happens there. */
  private async home(ctx: RequestContext): Promise<OrganizationScope> {
    const own = ownUserOf(ctx);
    const found = await this.users.find(ctx, own);
    if (!found) throw new ResourceNotFound('user', own.id);
    return found.home;
  }
}
