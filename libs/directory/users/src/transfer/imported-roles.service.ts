import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { type GainAuthorization, PrivilegesService } from '#directory/privileges';
import { builtInRole, RolesService, type VisibleRole } from '#directory/roles';
import { checkField, invalidField } from './import-errors.js';

/** The roles of a line in an organization. The first role is the role of the membership. */
export interface LineRoles {
  readonly roles: readonly [VisibleRole, ...VisibleRole[]];
  readonly gain: GainAuthorization;
}

/** A role that a line names. `pointer` is the field, and undefined for the default role. */
export interface WantedRole {
  readonly reference: string;
  readonly pointer?: string;
}

/** Finds the roles of the lines of an import. Looks up each role once. */
@Injectable()
export class ImportedRolesService {
  constructor(
    private readonly roles: RolesService,
    private readonly privileges: PrivilegesService,
  ) {}

  /** Locks the visible roles with these ids or names until the transaction ends. Returns the roles by id or name. */
  async lock(
    ctx: RequestContext,
    organization: OrganizationScope,
    references: Iterable<string>,
  ): Promise<Map<string, VisibleRole>> {
    const locked = new Map<string, VisibleRole>();
    const custom: string[] = [];
    for (const reference of [...new Set(references)].sort()) {
      const role = builtInRole(reference);
      if (role) locked.set(reference, role);
      else custom.push(reference);
    }
    if (custom.length === 0) return locked;
    const visible = await this.roles.listVisible(ctx, organization);
    const visibleReferences = new Set(visible.flatMap(({ id, name }) => [id, name]));
    for (const reference of custom) {
      const role = visibleReferences.has(reference) ? await this.roles.lockVisible(ctx, organization, reference) : undefined;
      if (role) locked.set(reference, role);
    }
    return locked;
  }

  /**
   * Returns the roles that a line names in an organization, without duplicates.
   * @throws LineProblem (role_not_found, forbidden)
   */
  rolesOf(
    ctx: RequestContext,
    organization: OrganizationScope,
    locked: ReadonlyMap<string, VisibleRole>,
    [first, ...others]: readonly [WantedRole, ...WantedRole[]],
  ): LineRoles {
    const { role, gain } = this.roleOf(ctx, organization, locked, first);
    const additional = others.map((wanted) => this.roleOf(ctx, organization, locked, wanted).role);
    const different = new Map(additional.map((each) => [each.id, each]));
    different.delete(role.id);
    return { roles: [role, ...different.values()], gain };
  }

  private roleOf(
    ctx: RequestContext,
    organization: OrganizationScope,
    locked: ReadonlyMap<string, VisibleRole>,
    { reference, pointer }: WantedRole,
  ): { role: VisibleRole; gain: GainAuthorization } {
    const role = locked.get(reference);
    if (!role) {
      const message = `"${reference}" is not a role of the organization "${organization.slug}" or one of its ancestors.`;
      throw invalidField(pointer ?? '', 'role_not_found', message);
    }
    if (pointer === undefined) return { role, gain: this.privileges.authorizeDefaultRole(ctx, organization, role) };
    return { role, gain: checkField(pointer, () => this.privileges.authorizeRole(ctx, organization, role)) };
  }
}
