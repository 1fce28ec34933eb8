import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type SessionUser, UserGrantsQuery } from '#directory/memberships';
import type { UserKey } from '#directory/sessions';
import { IDENTITY_PROVIDER } from '#identity/session-access';
import { OfflineAccessQuery, type OfflineSignIn } from './offline-access.query.js';

/** Finds users whose access goes on after their session. */
@Injectable()
export class OfflineUsersService {
  constructor(
    private readonly userGrants: UserGrantsQuery,
    private readonly offlineAccess: OfflineAccessQuery,
  ) {}

  /** Returns the user if the user is active, could still sign in in this way, and nothing ended the access. */
  async find(ctx: RequestContext, user: UserKey, signIn: OfflineSignIn): Promise<SessionUser | null> {
    const [found, hasEnded] = await Promise.all([
      this.userGrants.findActiveUser(ctx, user),
      this.offlineAccess.hasEnded(ctx, user, signIn),
    ]);
    if (hasEnded || !found || found.suspended || (found.ssoRequired && !signIn.amr.includes(IDENTITY_PROVIDER))) return null;
    return found;
  }
}
