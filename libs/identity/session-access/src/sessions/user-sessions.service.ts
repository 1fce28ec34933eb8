import { Injectable } from '@nestjs/common';
import { type Page, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { PrivilegesService } from '#directory/privileges';
import { OneTimeTokenService, type Session, SessionService } from '#directory/sessions';
import { UserAccessService } from '#directory/users';
import { SessionListingService } from './session-listing.service.js';

const REASON = 'revoked_by_administrator';

/** Lists and ends sessions of users, for administrators of the organization that manages the user. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly userAccess: UserAccessService,
    private readonly privileges: PrivilegesService,
    private readonly sessionListing: SessionListingService,
    private readonly sessions: SessionService,
    private readonly oneTimeTokens: OneTimeTokenService,
  ) {}

  /** @throws ResourceNotFound (404), ManagedElsewhere (403), InvalidCursor (400) */
  async list(ctx: RequestContext, userId: string, request: PageRequest): Promise<Page<Session>> {
    return this.sessionListing.list(ctx, await this.userAccess.findManaged(ctx, userId), request);
  }

  /** @throws ResourceNotFound (404) if the user or the active session does not exist, ManagedElsewhere, HigherPrivileges (403) */
  async revoke(ctx: RequestContext, userId: string, sessionId: string): Promise<void> {
    const { user, managingOrganization } = await this.userAccess.findManaged(ctx, userId);
    const loss = await this.privileges.authorizeLoss(ctx, [user]);
    const isRevoked = await this.sessions.revoke(ctx, user, sessionId, REASON, managingOrganization, loss);
    if (!isRevoked) throw new ResourceNotFound('session', sessionId);
  }

  /**
   * Ends all sessions of the user and voids all pending links. Returns the number of ended sessions.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges (403)
   */
  async revokeAll(ctx: RequestContext, userId: string): Promise<number> {
    const { user, managingOrganization } = await this.userAccess.findManaged(ctx, userId);
    const loss = await this.privileges.authorizeLoss(ctx, [user]);
    return this.transactions.run(ctx, async (ctx) => {
      await this.oneTimeTokens.voidAll(ctx, user);
      return this.sessions.revokeAll(ctx, user, REASON, managingOrganization, loss);
    });
  }
}
