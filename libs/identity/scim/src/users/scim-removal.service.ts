import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type Removal, ScimLimitsService } from '#directory/scim-connections';
import { UserDeletionService, UserLifecycleService } from '#directory/users';
import type { Connection } from '../access/scim-connection.js';

/** Suspends, deletes and restores users with the services of the API, within the limits of the connection. */
@Injectable()
export class ScimRemovalService {
  constructor(
    private readonly limits: ScimLimitsService,
    private readonly lifecycle: UserLifecycleService,
    private readonly deletion: UserDeletionService,
  ) {}

  /** Suspends a user and revokes all sessions. @throws ScimLimitExceeded */
  async suspend(ctx: RequestContext, connection: Connection, id: string): Promise<void> {
    await this.limits.recordRemoval(ctx, connection.id, id, 'suspended');
    await this.suspendNew(ctx, connection, id);
  }

  /** Suspends a user whom the connection has just created, or who was pending until it took the user over. This is no removal: it neither counts nor can be rolled back. */
  async suspendNew(ctx: RequestContext, { name }: Connection, id: string): Promise<void> {
    await this.lifecycle.suspend(ctx, id, {
      reason: `Deactivated by the SCIM connection "${name}".`,
      revokeActiveSessions: true,
    });
  }

  async activate(ctx: RequestContext, { id: connectionId }: Connection, id: string): Promise<void> {
    await this.limits.forgetRemoval(ctx, connectionId, id);
    await this.lifecycle.activate(ctx, id);
  }

  /** Deletes a user, who can be restored. @throws ScimLimitExceeded */
  async delete(ctx: RequestContext, { id: connectionId }: Connection, id: string): Promise<void> {
    await this.limits.recordRemoval(ctx, connectionId, id, 'deleted');
    await this.deletion.delete(ctx, id, false);
  }

  /** Stops the connection, because a limit is exceeded. */
  async stop(ctx: RequestContext, { id: connectionId }: Connection): Promise<void> {
    await this.limits.stop(ctx, connectionId);
  }

  /** Forgets a removal that can't be undone. */
  async forget(ctx: RequestContext, { id: connectionId }: Connection, id: string): Promise<void> {
    await this.limits.forgetRemoval(ctx, connectionId, id);
  }

  /** Restores a user whom the connection removed. Returns false if another process has done so. */
  async restore(ctx: RequestContext, { id: connectionId }: Connection, id: string, kind: Removal['kind']): Promise<boolean> {
    if (!(await this.limits.forgetRemoval(ctx, connectionId, id))) return false;
    if (kind !== 'suspended') await this.deletion.restore(ctx, id);
    if (kind !== 'deleted') await this.lifecycle.activate(ctx, id);
    return true;
  }
}
