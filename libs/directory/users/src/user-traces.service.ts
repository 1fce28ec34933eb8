import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { ScimConnectionsService } from '#directory/scim-connections';
import { OneTimeTokenService, SessionService, type UserKey } from '#directory/sessions';

/** Deletes the sessions, tokens and SCIM previews of users who are deleted permanently. */
@Injectable()
export class UserTracesService {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
    private readonly scimConnections: ScimConnectionsService,
  ) {}

  async delete(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.sessions.deleteAll(ctx, user);
    await this.tokens.deleteAll(ctx, user);
    await this.scimConnections.eraseUser(ctx, user);
  }
}
