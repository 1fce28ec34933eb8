import { Injectable } from '@nestjs/common';
import { hasPermission, type OrganizationScope, type RequestContext, ResourceNotFound } from '#platform/common';
import { type GainAuthorization, type LossAuthorization, PrivilegesService, unneeded, type UserKey } from '#directory/privileges';
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
    private readonly privileges: PrivilegesService,
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

  /** All members of the group get a role. @throws GroupWithRoles, GrantBeyondOwn (403), ReauthenticationRequired (401) */
  authorizeAssignment(ctx: RequestContext, organization: OrganizationScope, group: Group, role: VisibleRole): GainAuthorization {
    this.assertCanChangeRoles(ctx, group);
    return this.privileges.authorizeRole(ctx, organization, role);
  }

  /**
   * New members of the group get its roles, which are returned.
   * @throws GroupWithRoles (403), GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async authorizeNewMembers(
    ctx: RequestContext,
    organization: OrganizationScope,
    group: Group,
  ): Promise<{ roles: readonly VisibleRole[]; gain: GainAuthorization }> {
    const roles = await this.listRoles(ctx, group);
    if (isManagedByCaller(ctx, group)) return { roles, gain: unneeded<'gain'>('group_of_the_connection') };
    if (roles.length > 0) this.assertCanChangeRoles(ctx, group);
    return { roles, gain: this.privileges.authorizeRoles(ctx, organization, roles) };
  }

  /**
   * Removed members of the group lose its roles.
   * @throws GroupWithRoles (403), HigherPrivileges (403)
   */
  async authorizeRemoval(
    ctx: RequestContext,
    organization: OrganizationScope,
    group: Group,
    users: readonly UserKey[],
  ): Promise<LossAuthorization> {
    if (isManagedByCaller(ctx, group)) return unneeded<'loss'>('group_of_the_connection');
    if ((await this.listRoles(ctx, group)).length === 0) return unneeded<'loss'>('group_without_roles');
    this.assertCanChangeRoles(ctx, group);
    return this.privileges.authorizeLossAt(ctx, users, organization);
  }

  /**
   * All members of the group lose roles, or the group gets another name and another group can be mistaken for it. The caller needs every
   * permission of the roles.
   * @throws GroupWithRoles (403), GrantBeyondOwn (403)
   */
  authorizeRevocation(
    ctx: RequestContext,
    organization: OrganizationScope,
    group: Group,
    roles: readonly VisibleRole[],
  ): LossAuthorization {
    if (roles.length === 0) return unneeded<'loss'>('group_without_roles');
    this.assertCanChangeRoles(ctx, group);
    const permissions = [...new Set(roles.flatMap((role) => role.permissions))];
    return this.privileges.authorizeRevocation(ctx, organization, `The group "${group.name}"`, permissions);
  }

  /** @throws GroupWithRoles (403) */
  private assertCanChangeRoles({ caller }: RequestContext, { name }: Group): void {
    if (!hasPermission(caller.permissions, 'members:write')) throw new GroupWithRoles(name);
  }
}
