import { Injectable } from '@nestjs/common';
import {
  assertDelegable,
  assertRoleDelegable,
  Clock,
  hasPermission,
  type OrganizationScope,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { RolesService, type VisibleRole } from '#directory/roles';
import { isManagedByCaller, ScimManagementService } from '#directory/scim-connections';
import { GroupWithRoles } from './group-errors.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import type { Group } from './group.entity.js';
import { GroupRepository } from './group.repository.js';

/**
 * Locks groups and checks the power of the caller over a group. The roles of a group are roles of its members, so changes of members and
 * roles have the rules of role assignments. The connection that manages a group decides about its members, whatever roles the group has.
 */
@Injectable()
export class GroupAccessService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly assignments: GroupRoleAssignmentRepository,
    private readonly roles: RolesService,
    private readonly clock: Clock,
    private readonly scim: ScimManagementService,
  ) {}

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, organization: OrganizationScope, id: string): Promise<Group> {
    const group = await this.groups.find(ctx, organization, id);
    if (!group) throw new ResourceNotFound('group', id);
    return group;
  }

  /** Locks a group until the transaction ends. @throws ResourceNotFound (404) */
  async lock(ctx: RequestContext, organization: OrganizationScope, id: string): Promise<Group> {
    const group = await this.groups.lock(ctx, organization, id);
    if (!group) throw new ResourceNotFound('group', id);
    return group;
  }

  /** @throws ManagedByScim (409) when a SCIM connection provisions the group and the caller is somebody else */
  async assertNotProvisioned(ctx: RequestContext, group: Group): Promise<void> {
    await this.scim.assertCanChange(ctx, 'group', group);
  }

  async listRoles(ctx: RequestContext, group: Group): Promise<VisibleRole[]> {
    const assignments = await this.assignments.list(ctx, group);
    const roles = await this.roles.listByIds(
      ctx,
      [group.tenantId],
      assignments.map(({ roleId }) => roleId),
    );
    return [...roles.values()];
  }

  /**
   * Returns the roles that new members of the group get. Asserts that the caller can assign them.
   * @throws GroupWithRoles (403), GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async assertCanAddMembers(ctx: RequestContext, organization: OrganizationScope, group: Group): Promise<VisibleRole[]> {
    const roles = await this.listRoles(ctx, group);
    if (isManagedByCaller(ctx, group)) return roles;
    if (roles.length > 0) this.assertCanChangeRoles(ctx, group);
    for (const role of roles) assertRoleDelegable(ctx, organization, role, this.clock.now());
    return roles;
  }

  /**
   * Returns the roles that removed members of the group lose. The caller must also be able to manage each of these members, unless the
   * result is empty.
   * @throws GroupWithRoles (403)
   */
  async assertCanRemoveMembers(ctx: RequestContext, group: Group): Promise<VisibleRole[]> {
    if (isManagedByCaller(ctx, group)) return [];
    const roles = await this.listRoles(ctx, group);
    if (roles.length > 0) this.assertCanChangeRoles(ctx, group);
    return roles;
  }

  /**
   * Asserts that the caller can take the roles from all members of the group, which needs every permission of the roles, as the deletion
   * of a role.
   * @throws GroupWithRoles (403), GrantBeyondOwn (403)
   */
  assertCanRevoke(ctx: RequestContext, organization: OrganizationScope, group: Group, roles: readonly VisibleRole[]): void {
    if (roles.length === 0) return;
    this.assertCanChangeRoles(ctx, group);
    for (const role of roles) assertDelegable(ctx.caller, organization, `The role "${role.name}"`, role.permissions);
  }

  /** @throws GroupWithRoles (403) */
  assertCanChangeRoles({ caller }: RequestContext, { name }: Group): void {
    if (!hasPermission(caller.permissions, 'members:write')) throw new GroupWithRoles(name);
  }
}
