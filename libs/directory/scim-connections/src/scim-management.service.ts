import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { ManagedByScim } from './scim-connection-errors.js';
import { ScimConnectionRepository } from './scim-connection.repository.js';

/** A user or group that a connection can manage. */
interface Managed {
  readonly tenantId: string;
  readonly managedBy: string | null;
}

/** Returns whether the caller is the connection that manages a user or group. */
export const isManagedByCaller = ({ caller }: RequestContext, { managedBy }: Pick<Managed, 'managedBy'>): boolean =>
  managedBy !== null && caller.kind === 'scim' && managedBy === caller.id;

/** Decides who can change users and groups that a connection provisions. */
@Injectable()
export class ScimManagementService {
  constructor(private readonly connections: ScimConnectionRepository) {}

  /** @throws ManagedByScim (409) when another caller than the connection changes the resource, unless the connection allows it */
  async assertCanChange(ctx: RequestContext, resource: 'user' | 'group', managed: Managed): Promise<void> {
    const { tenantId, managedBy } = managed;
    if (managedBy === null || isManagedByCaller(ctx, managed)) return;
    const connection = await this.connections.findById(ctx, tenantId, managedBy);
    if (connection && !connection.allowLocalChanges) throw new ManagedByScim(resource, connection);
  }
}
