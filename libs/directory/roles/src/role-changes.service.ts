import { Injectable } from '@nestjs/common';
import {
  assertDelegable,
  changesBetween,
  assertUnchanged,
  InvalidRequest,
  nameKey,
  newId,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { type RoleData, UnitOfWork } from '#platform/events';
import { PrivilegesService, type ReplacementAuthorization, unneeded } from '#directory/privileges';
import { isBuiltInName } from './built-in-roles.js';
import { Role } from './role.entity.js';
import { RoleInUse, RoleLimit, RoleNameTaken, RoleNotEditable } from './role-errors.js';
import { RoleRepository } from './role.repository.js';
import type { CreateRoleRequest, UpdateRoleRequest } from './role.requests.js';
import { RoleUsage } from './role-usage.js';
import { RolesService } from './roles.service.js';

const MAX_ROLES = 500;

/** Creates, changes and deletes the roles of an organization. */
@Injectable()
export class RoleChangesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly roles: RoleRepository,
    private readonly rolesService: RolesService,
    private readonly roleUsage: RoleUsage,
    private readonly privileges: PrivilegesService,
  ) {}

  /** @throws RoleNameTaken (409), RoleLimit (409), GrantBeyondOwn (403) */
  async create(ctx: RequestContext, request: CreateRoleRequest): Promise<Role> {
    const permissions = request.permissions ?? [];
    assertDelegable(ctx.caller, organizationOf(ctx), `The role "${request.name}"`, permissions);
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      if (isBuiltInName(request.name)) throw new RoleNameTaken(request.name);
      if ((await this.roles.countOwn(ctx, organization)) >= MAX_ROLES) throw new RoleLimit(MAX_ROLES);
      const now = this.work.now();
      const role = Object.assign(new Role(), {
        tenantId: organization.tenantId,
        id: newId('role'),
        organizationId: organization.id,
        name: request.name,
        nameKey: nameKey(request.name),
        description: request.description ?? null,
        permissions,
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<Role, 'version'>);
      await this.roles.insert(ctx, role, unneeded<'gain'>('role_without_holders'));
      await this.work.publish(ctx, 'role.created', organization, roleData(role));
      return role;
    });
  }

  /** @throws ResourceNotFound (404), RoleNotEditable (403), RoleNameTaken (409), GrantBeyondOwn (403) */
  async update(ctx: RequestContext, reference: string, request: UpdateRoleRequest): Promise<Role> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const role = await this.lockOwn(ctx, organization, reference);
      const before = roleData(role);
      const newName = request.name === role.name ? undefined : request.name;
      if (newName !== undefined && isBuiltInName(newName)) throw new RoleNameTaken(newName);
      const authorization = this.authorizeUpdate(ctx, organization, role, request);
      if (newName !== undefined) Object.assign(role, { name: newName, nameKey: nameKey(newName) });
      role.permissions = request.permissions ?? role.permissions;
      if (request.description !== undefined) role.description = request.description;
      const changes = changesBetween(before, roleData(role));
      if (Object.keys(changes).length === 0) return role;
      role.updatedAt = this.work.now();
      await this.roles.save(ctx, role, authorization);
      await this.work.publish(ctx, 'role.updated', organization, { ...roleData(role), changes });
      return role;
    });
  }

  /**
   * Deletes a role. If the role is in use, the role `reassignTo` replaces it.
   * @throws ResourceNotFound (404), RoleNotEditable (403), RoleInUse (409), InvalidRequest (400: reassignTo), GrantBeyondOwn (403)
   */
  async delete(ctx: RequestContext, reference: string, reassignTo: string | undefined): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const role = await this.lockOwn(ctx, organization, reference);
      let reassignedTo: { id: string; name: string } | null = null;
      const uses = await this.roleUsage.listUses(ctx, role.tenantId, role.id);
      let loss = unneeded<'loss'>('role_without_holders');
      if (uses.length > 0) {
        loss = this.privileges.authorizeRevocation(ctx, organization, `The role "${role.name}"`, role.permissions);
        if (reassignTo === undefined) throw new RoleInUse(role.name, uses);
        const replacement = await this.rolesService.lockVisible(ctx, organization, reassignTo);
        if (!replacement || replacement.id === role.id) {
          const message = `reassignTo "${reassignTo}" is not another role of this organization or one of its ancestors.`;
          throw new InvalidRequest([{ pointer: '/reassignTo', in: 'query', code: 'role_not_found', message }]);
        }
        const gain = this.privileges.authorizeRole(ctx, organization, replacement);
        reassignedTo = { id: replacement.id, name: replacement.name };
        const change = { tenantId: role.tenantId, fromRoleId: role.id, toRoleId: replacement.id };
        await this.roleUsage.reassign(ctx, change, { gain, loss });
      }
      await this.roles.delete(ctx, role, loss);
      await this.work.publish(ctx, 'role.deleted', organization, { ...roleData(role), reassignedTo });
    });
  }

  /**
   * The caller needs the permissions that are added or removed. A new name needs all permissions of the role, because another role could
   * get the previous name and be mistaken for it.
   */
  private authorizeUpdate(
    ctx: RequestContext,
    organization: OrganizationScope,
    role: Role,
    request: UpdateRoleRequest,
  ): ReplacementAuthorization {
    const permissions = request.permissions ?? role.permissions;
    const isRenamed = request.name !== undefined && request.name !== role.name;
    const added = permissions.filter((permission) => !role.permissions.includes(permission));
    const removed = role.permissions.filter((permission) => isRenamed || !permissions.includes(permission));
    const what = `The change to the role "${role.name}"`;
    return {
      gain: this.privileges.authorizePermissions(ctx, organization, what, added),
      loss: this.privileges.authorizeRevocation(ctx, organization, what, removed),
    };
  }

  private async lockOwn(ctx: RequestContext, organization: OrganizationScope, reference: string): Promise<Role> {
    const visibleRole = await this.rolesService.getVisible(ctx, organization, reference);
    if (visibleRole.organizationId !== organization.id) throw new RoleNotEditable(visibleRole.name);
    const role = await this.roles.lock(ctx, organization, visibleRole.id);
    if (!role) throw new ResourceNotFound('role', visibleRole.id);
    assertUnchanged(ctx, role.version);
    return role;
  }
}

function roleData(role: Role): RoleData {
  const { id, organizationId, name, description, permissions, createdAt, updatedAt } = role;
  return {
    id,
    organizationId,
    name,
    description,
    permissions: [...permissions],
    builtIn: false,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
