import { Injectable } from '@nestjs/common';
import {
  DomainError,
  GrantBeyondOwn,
  InvalidRequest,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
} from '#platform/common';
import { type GainAuthorization, PrivilegesService } from '#directory/privileges';
import { RolesService, type VisibleRole } from '#directory/roles';

/** The roles of a line. The first role is the role of the membership. */
export interface LineRoles {
  readonly roles: readonly [VisibleRole, ...VisibleRole[]];
  readonly gain: GainAuthorization;
}

/** The caller can't assign a role of the line. */
class RoleNotDelegable extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(
    message: string,
    override readonly errors: InvalidRequest['errors'],
  ) {
    super(message);
  }
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
    const visible = await this.roles.listVisible(ctx, organization);
    const visibleReferences = new Set(visible.flatMap(({ id, name }) => [id, name]));
    const locked = new Map<string, VisibleRole>();
    for (const reference of [...new Set(references)].sort()) {
      const role = visibleReferences.has(reference) ? await this.roles.lockVisible(ctx, organization, reference) : undefined;
      if (role) locked.set(reference, role);
    }
    return locked;
  }

  /**
   * Returns the roles of a line, or the default role.
   * @throws InvalidRequest (role_not_found), RoleNotDelegable (forbidden), with a pointer
   */
  rolesOf(
    ctx: RequestContext,
    locked: Map<string, VisibleRole>,
    references: readonly string[] | undefined,
    defaultRole: string,
  ): LineRoles {
    const roleReferences = references?.length ? references : [defaultRole];
    const roles = new Map<string, VisibleRole>();
    let gain: GainAuthorization | undefined;
    for (const [index, reference] of roleReferences.entries()) {
      const pointer = `/roles/${index}`;
      const role = locked.get(reference);
      if (!role) {
        const message = `roles[${index}] "${reference}" is not a role of this organization or one of its ancestors.`;
        throw new InvalidRequest([{ pointer, in: 'body', code: 'role_not_found', message }]);
      }
      gain = this.authorize(ctx, role, references?.length ? pointer : undefined);
      roles.set(role.id, role);
    }
    return { roles: [...roles.values()], gain } as unknown as LineRoles;
  }

  /** Authorizes a role of a line. `pointer` is undefined for the default role. */
  private authorize(ctx: RequestContext, role: VisibleRole, pointer: string | undefined): GainAuthorization {
    const organization = organizationOf(ctx);
    if (pointer === undefined) return this.privileges.authorizeDefaultRole(ctx, organization, role);
    try {
      return this.privileges.authorizeRole(ctx, organization, role);
    } catch (error) {
      if (!(error instanceof GrantBeyondOwn)) throw error;
      throw new RoleNotDelegable(error.message, [{ pointer, in: 'body', code: error.code, message: error.message }]);
    }
  }
}
