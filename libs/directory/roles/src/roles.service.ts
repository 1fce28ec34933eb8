import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { RoleLookup } from '#directory/organizations';
import { BUILT_IN_ROLES, builtInRole, type VisibleRole } from './built-in-roles.js';
import { RoleQuery } from './role.query.js';
import { type OrganizationRef, RoleRepository } from './role.repository.js';

/** Finds and locks the roles that are visible in an organization: built-in roles, and roles of the organization and its ancestors. */
@Injectable()
export class RolesService implements OnModuleInit {
  constructor(
    private readonly roles: RoleRepository,
    private readonly roleQuery: RoleQuery,
    private readonly roleLookup: RoleLookup,
  ) {}

  onModuleInit(): void {
    this.roleLookup.register((ctx, organization, reference) => this.lockVisible(ctx, organization, reference));
  }

  /** Returns the visible role with this id or name. */
  async findVisible(ctx: RequestContext, organization: OrganizationRef, reference: string): Promise<VisibleRole | undefined> {
    return builtInRole(reference) ?? (await this.roleQuery.findVisible(ctx, organization, reference));
  }

  /** @throws ResourceNotFound (404) */
  async getVisible(ctx: RequestContext, organization: OrganizationRef, reference: string): Promise<VisibleRole> {
    const role = await this.findVisible(ctx, organization, reference);
    if (!role) throw new ResourceNotFound('role', reference);
    return role;
  }

  /** Returns the visible role with this id or name, and prevents the deletion of the role until the transaction ends. */
  async lockVisible(ctx: RequestContext, organization: OrganizationRef, reference: string): Promise<VisibleRole | undefined> {
    const role = await this.findVisible(ctx, organization, reference);
    return role && this.lock(ctx, organization, role);
  }

  /**
   * Prevents the deletion of a role until the transaction ends, and moves of the organization if the role is of an ancestor. Returns
   * undefined if the role is deleted or no longer visible.
   */
  async lock(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationRef, 'tenantId' | 'id'>,
    role: VisibleRole,
  ): Promise<VisibleRole | undefined> {
    if (role.organizationId === null) return role;
    if (role.organizationId !== id) return this.roleQuery.lockInherited(ctx, { tenantId, id }, role.id);
    return (await this.roles.lockShared(ctx, tenantId, role.id)) ?? undefined;
  }

  /** Prevents the deletion of the visible role with this id or name until the transaction ends. @throws ResourceNotFound (404) */
  async getLocked(ctx: RequestContext, organization: OrganizationRef, reference: string): Promise<VisibleRole> {
    const role = await this.lockVisible(ctx, organization, reference);
    if (!role) throw new ResourceNotFound('role', reference);
    return role;
  }

  /** Returns all visible roles, the built-in roles first. */
  async listVisible(ctx: RequestContext, organization: OrganizationRef): Promise<VisibleRole[]> {
    return [...BUILT_IN_ROLES, ...(await this.roles.listVisible(ctx, organization))];
  }

  /**
   * Returns by id how other installations can refer to the visible roles: by name, or by id where the name finds a role of a nearer
   * organization.
   */
  async listReferences(ctx: RequestContext, organization: OrganizationRef): Promise<ReadonlyMap<string, string>> {
    const { id, ancestorIds } = organization;
    const chain = [null, ...ancestorIds, id];
    const roles = (await this.listVisible(ctx, organization)).toSorted(
      (a, b) => chain.indexOf(a.organizationId) - chain.indexOf(b.organizationId),
    );
    const nearest = new Map(roles.map((role) => [role.name, role.id]));
    return new Map(roles.map((role) => [role.id, nearest.get(role.name) === role.id ? role.name : role.id]));
  }

  /** Returns the roles with these ids, by id. Ids of nonexistent roles are ignored. */
  async listByIds(ctx: RequestContext, tenantIds: readonly string[], ids: readonly string[]): Promise<Map<string, VisibleRole>> {
    const uniqueIds = [...new Set(ids)];
    const customIds = uniqueIds.filter((id) => !builtInRole(id));
    const custom: VisibleRole[] = customIds.length > 0 ? await this.roles.listByIds(ctx, tenantIds, customIds) : [];
    const builtIn = uniqueIds.map(builtInRole).filter((role) => role !== undefined);
    return new Map([...builtIn, ...custom].map((role) => [role.id, role]));
  }
}
