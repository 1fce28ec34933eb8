import { Injectable } from '@nestjs/common';
import { OperatorsService } from '#identity/auth';
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
import { unneeded } from '#directory/privileges';
import { OneTimeTokenService, type Session, SessionService } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import { SessionListingService } from './session-listing.service.js';

const REASON = 'revoked_by_user';
const OWN = unneeded<'loss'>('own_account');

@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessionListing: SessionListingService,
    private readonly sessions: SessionService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly userActivation: UserActivationService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly operators: OperatorsService,
  ) {}

  /** @throws InvalidCursor (400) */
  async list(ctx: RequestContext, request: PageRequest): Promise<Page<Session>> {
    return this.sessionListing.list(ctx, await this.getOwner(ctx), request);
  }

  /** @throws ResourceNotFound (404) if the session has ended or does not belong to the user */
  async revoke(ctx: RequestContext, sessionId: string): Promise<void> {
    const organization = await this.getManagingOrganization(ctx);
    const isRevoked = await this.sessions.revoke(ctx, ownUserOf(ctx), sessionId, REASON, organization, OWN);
    if (!isRevoked) throw new ResourceNotFound('session', sessionId);
  }

  /**
   * Ends the sessions of the user, including the current session with `includeCurrent`. Voids all pending links of the user. Returns the
   * number of ended sessions.
   */
  async revokeAll(ctx: RequestContext, { includeCurrent }: { includeCurrent: boolean }): Promise<number> {
    const managingOrganization = await this.getManagingOrganization(ctx);
    const options = includeCurrent ? {} : { exceptId: sessionOf(ctx).id };
    return this.work.run(ctx, async (ctx) => {
      await this.oneTimeTokens.voidAll(ctx, ownUserOf(ctx));
      return this.sessions.revokeAll(ctx, ownUserOf(ctx), REASON, managingOrganization, OWN, options);
    });
  }

  /** Ends the current session, of a user or an operator. Does nothing if the session has already ended. */
  async signOut(ctx: RequestContext): Promise<void> {
    if (ctx.operatorSession) return this.operators.endSession(ctx, ctx.operatorSession);
    const { id: sessionId, organizationId } = sessionOf(ctx);
    const user = ownUserOf(ctx);
    const organization =
      (await this.organizationScopes.findScope(ctx, organizationId)) ?? (await this.getManagingOrganization(ctx));
    await this.work.run(ctx, async (ctx) => {
      if (!(await this.sessions.signOut(ctx, user, sessionId))) return;
      const data = { userId: user.id, sessionId, reason: 'signed_out' };
      await this.work.publish(ctx, 'user.logout', organization, data, { userId: user.id });
    });
  }

  /** Returns the organization that manages the user. Events of the user belong to this organization. */
  private async getManagingOrganization(ctx: RequestContext): Promise<OrganizationScope> {
    return (await this.getOwner(ctx)).managingOrganization;
  }

  private async getOwner(ctx: RequestContext): Promise<UserWithOrganization> {
    const key = ownUserOf(ctx);
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    return owner;
  }
}
