import { Injectable, type OnModuleInit } from '@nestjs/common';
import { organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { SelfGrantsService } from '#directory/memberships';
import type { ReplacementAuthorization } from '#directory/privileges';
import {
  OWNER_ROLE_ID,
  type RoleReplacement,
  RolesService,
  RoleUsage,
  type RoleUsageHandler,
  type VisibleRole,
} from '#directory/roles';
import { GroupAccessService } from './group-access.service.js';
import { GroupRoleLimit, OwnerRoleNotForGroups, ROLES_PER_GROUP_MAX } from './group-errors.js';
import { GroupMembersQuery } from './group-members.query.js';
import type { GroupRoleAssignment } from './group-role-assignment.entity.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import { GroupRoleReplacementQuery } from './group-role-replacement.query.js';
import { groupReference } from './groups.definitions.js';

export interface GroupRole {
  readonly assignment: GroupRoleAssignment;
  readonly role: VisibleRole;
}

/** Assigns roles to groups and revokes them. All members of a group have its roles. */
@Injectable()
export class GroupRolesService implements RoleUsageHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: GroupAccessService,
    private readonly assignments: GroupRoleAssignmentRepository,
    private readonly members: GroupMembersQuery,
    private readonly roles: RolesService,
    private readonly selfGrants: SelfGrantsService,
    private readonly usage: RoleUsage,
    private readonly replacement: GroupRoleReplacementQuery,
  ) {}

  onModuleInit(): void {
    this.usage.register(this);
  }

  /** Returns the roles of a group, oldest assignment first. @throws ResourceNotFound (404) */
  async list(ctx: RequestContext, groupId: string): Promise<GroupRole[]> {
    const group = await this.access.get(ctx, organizationOf(ctx), groupId);
    const assignments = await this.assignments.list(ctx, group);
    const roles = await this.roles.listByIds(
      ctx,
      [group.tenantId],
      assignments.map(({ roleId }) => roleId),
    );
    return assignments.flatMap((assignment) => {
      const role = roles.get(assignment.roleId);
      return role ? [{ assignment, role }] : [];
    });
  }

  /**
   * Assigns a role. `created` is false if the group already had the role.
   * @throws ResourceNotFound (404: group or role), OwnerRoleNotForGroups (422), GroupRoleLimit (409), GroupWithRoles, GrantBeyondOwn (403),
   * ReauthenticationRequired (401)
   */
  async assign(ctx: RequestContext, groupId: string, reference: string): Promise<GroupRole & { readonly created: boolean }> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const group = await this.access.lock(ctx, organization, groupId);
      const role = await this.roles.getLocked(ctx, organization, reference);
      if (role.id === OWNER_ROLE_ID) throw new OwnerRoleNotForGroups();
      const existing = await this.assignments.list(ctx, group);
      const previous = existing.find(({ roleId }) => roleId === role.id);
      if (previous) return { assignment: previous, role, created: false };
      const gain = this.access.authorizeAssignment(ctx, organization, group, role);
      if (existing.length >= ROLES_PER_GROUP_MAX) throw new GroupRoleLimit();
      const assignment: GroupRoleAssignment = {
        tenantId: group.tenantId,
        groupId: group.id,
        roleId: role.id,
        organizationId: group.organizationId,
        assignedAt: this.work.now(),
        assignedByType: ctx.actor.type,
        assignedById: ctx.actor.id ?? null,
      };
      await this.assignments.insert(ctx, assignment, gain);
      const data = { ...groupReference(organization, group), role: { id: role.id, name: role.name } };
      await this.work.publish(ctx, 'group.role_assigned', organization, data);
      const { id } = ctx.caller;
      if (id !== undefined && (await this.members.isMember(ctx, group, id)))
        await this.selfGrants.reportIfOwn(ctx, organization, { id }, role);
      return { assignment, role, created: true };
    });
  }

  /** @throws ResourceNotFound (404: the group, or the group does not have the role), GroupWithRoles, GrantBeyondOwn (403) */
  async revoke(ctx: RequestContext, groupId: string, reference: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const group = await this.access.lock(ctx, organization, groupId);
      const role = await this.roles.getVisible(ctx, organization, reference);
      const assignment = (await this.assignments.list(ctx, group)).find(({ roleId }) => roleId === role.id);
      if (!assignment) throw new ResourceNotFound('role', reference);
      const loss = this.access.authorizeRevocation(ctx, organization, group, [role]);
      await this.assignments.delete(ctx, assignment, loss);
      const data = { ...groupReference(organization, group), role: { id: role.id, name: role.name } };
      await this.work.publish(ctx, 'group.role_revoked', organization, data);
    });
  }

  /** Replaces the role of groups by another role. @throws OwnerRoleNotForGroups (422) if a group has the role and the new role is `owner` */
  async reassign(ctx: RequestContext, change: RoleReplacement, authorization: ReplacementAuthorization): Promise<void> {
    const { tenantId, fromRoleId, toRoleId } = change;
    if (toRoleId === OWNER_ROLE_ID && (await this.assignments.isAssigned(ctx, tenantId, fromRoleId)))
      throw new OwnerRoleNotForGroups();
    await this.replacement.replace(ctx, change, this.work.now(), authorization);
  }
}
