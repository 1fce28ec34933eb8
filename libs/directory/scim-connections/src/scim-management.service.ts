import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { ManagedByScim } from './scim-connection-errors.js';
import { ScimRemovalsQuery } from './limits/scim-removals.query.js';
import { ScimConnectionRepository } from './scim-connection.repository.js';
import { ScimUserNamesQuery } from './scim-user-names.query.js';

/** A user or group that a connection can manage. */
interface Managed {
  readonly tenantId: string;
  readonly managedBy: string | null;
}

/** Returns whether the caller is the connection that manages a user or group. */
export const isManagedByCaller = ({ caller }: RequestContext, { managedBy }: Pick<Managed, 'managedBy'>): boolean =>
  managedBy !== null && caller.kind === 'scim' && managedBy === caller.id;

/** A user whose status changed. */
interface ChangedUser extends Managed {
  readonly id: string;
  readonly status: string;
}

/** Decides who can change users and groups that a connection provisions. */
@Injectable()
export class ScimManagementService {
  constructor(
    private readonly connections: ScimConnectionRepository,
    private readonly removals: ScimRemovalsQuery,
    private readonly userNames: ScimUserNamesQuery,
  ) {}

  /** @throws ManagedByScim (409) when another caller than the connection changes the resource, unless the connection allows it */
  async assertCanChange(ctx: RequestContext, resource: 'user' | 'group', managed: Managed): Promise<void> {
    const { tenantId, managedBy } = managed;
    if (managedBy === null || isManagedByCaller(ctx, managed)) return;
    const connection = await this.connections.findById(ctx, tenantId, managedBy);
    if (connection && !connection.allowLocalChanges) throw new ManagedByScim(resource, connection);
  }

  /** @throws ManagedByScim (409) when a connection of this organization provisions the user, who is a member because of the connection */
  async assertCanRemoveMember(
    ctx: RequestContext,
    organizationId: string,
    userKey: Readonly<Record<'tenantId' | 'id', string>>,
  ): Promise<void> {
    const managedBy = await this.userNames.findManager(ctx, userKey, organizationId);
    await this.assertCanChange(ctx, 'user', { tenantId: userKey.tenantId, managedBy });
  }

  /**
   * Keeps what connections know about a user up to date after a change of the status, in the caller's transaction. A deleted user does not
   * reserve the userName. The removal of a user about whom somebody else decided later can't be rolled back.
   * @throws UserNameConflict (409) when another user has the userName of a restored user
   */
  async recordStatusChange(ctx: RequestContext, user: ChangedUser, previousStatus: string): Promise<void> {
    const { tenantId, managedBy } = user;
    if (managedBy === null) return;
    if (user.status === 'deleted') await this.userNames.release(ctx, user);
    else if (previousStatus === 'deleted') await this.userNames.reserve(ctx, user);
    if (!isManagedByCaller(ctx, user)) await this.removals.delete(ctx, { tenantId, id: managedBy }, user.id);
  }
}
