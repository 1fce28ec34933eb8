import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { RoleLookup } from '#directory/organizations';
import { BUILT_IN_ROLES, builtInRole, type VisibleRole } from './built-in-roles.js';
import { RoleQuery } from './role.query.js';
import { type OrganizationRef, RoleRepository } from './role.repository.js';

/** Which roles there are, and which of them are visible where. */
@Injectable()
export class RolesService implements OnModuleInit {
  constructor(
    private readonly roles: RoleRepository,
    private readonly roleQuery: RoleQuery,
    private readonly references: RoleLookup,
  ) {}

  onModuleInit(): void {
    this.references.register((ctx, place, reference) => this.lockVisible(ctx, place, reference));
  }

  /** The role that an id or name means in an organization: built in, its own, or one from above. */
  async findVisible(ctx: RequestContext, place: OrganizationRef, reference: string): Promise<VisibleRole | undefined> {
    return builtInRole(reference) ?? (await this.roleQuery.findVisible(ctx, place, reference));
  }

  /** @throws ResourceNotFound (404) */
  async getVisible(ctx: RequestContext, place: OrganizationRef, reference: string): Promise<VisibleRole> {
    const role = await this.findVisible(ctx, place, reference);
    if (!role) throw new ResourceNotFound('role', reference);
    return role;
  }

  /** The same, kept from being deleted until the transaction ends: for those about to give it. */
  async lockVisible(ctx: RequestContext, place: OrganizationRef, reference: string): Promise<VisibleRole | undefined> {
    const role = await this.findVisible(ctx, place, reference);
    return role && this.lock(ctx, place, role);
  }

  /** Keeps a role that was found before from being deleted until the transaction ends; undefined when it is gone. */
  async lock(
    ctx: RequestContext,
    { tenantId }: Pick<OrganizationRef, 'tenantId'>,
    role: VisibleRole,
  ): Promise<VisibleRole | undefined> {
    if (role.organizationId === null) return role;
    return (await this.roles.lockShared(ctx, tenantId, role.id)) ?? undefined;
  }

  /** @throws ResourceNotFound (404) */
  async getLocked(ctx: RequestContext, place: OrganizationRef, reference: string): Promise<VisibleRole> {
    const role = await this.lockVisible(ctx, place, reference);
    if (!role) throw new ResourceNotFound('role', reference);
    return role;
  }

  /** All roles that can be given in an organization: the built-in ones first. */
  async listVisible(ctx: RequestContext, place: OrganizationRef): Promise<VisibleRole[]> {
    return [...BUILT_IN_ROLES, ...(await this.roles.listVisible(ctx, place))];
  }

  /** Roles of tenants by id, in one query for any number; ids of roles that are gone are left out. */
  async listByIds(ctx: RequestContext, tenantIds: readonly string[], ids: readonly string[]): Promise<Map<string, VisibleRole>> {
    const wanted = [...new Set(ids)];
    const own = wanted.filter((id) => !builtInRole(id));
    const found: VisibleRole[] = own.length > 0 ? await this.roles.listByIds(ctx, tenantIds, own) : [];
    const builtIn = wanted.map(builtInRole).filter((role) => role !== undefined);
    return new Map([...builtIn, ...found].map((role) => [role.id, role]));
  }
}
