import { Injectable } from '@nestjs/common';
import { holdsPermission, type OrganizationScope, type RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { RolesService, type VisibleRole } from '#directory/roles';
import { DataSource } from 'typeorm';

/** Where a role comes from: given for good, or by emergency access for a while. */
export const GRANT_SOURCES = ['assignment', 'break_glass'] as const;

/** Why somebody may not do something. */
export const REFUSALS = ['not_granted', 'user_suspended', 'user_deleted'] as const;

/** A role that grants a permission, and where the user has it. */
export interface GrantingRole {
  readonly roleId: string;
  readonly roleName: string;
  readonly organizationId: string;
  readonly source: (typeof GRANT_SOURCES)[number];
  /** The one among the role's permissions that covers what was asked for. */
  readonly permission: string;
}

export interface PermissionAnswer {
  readonly allowed: boolean;
  readonly because: GrantingRole[];
  /** Only when it is not allowed. */
  readonly refusal?: (typeof REFUSALS)[number];
}

interface HeldRole {
  readonly user_id: string;
  readonly role_id: string;
  readonly organization_id: string;
  readonly user_status: string;
  readonly source: GrantingRole['source'];
}

/** Says whether users may do something in an organization, and why: roles count there and in the organizations below. */
@Injectable()
export class PermissionChecks extends SqlRepository {
  constructor(
    dataSource: DataSource,
    private readonly roles: RolesService,
  ) {
    super(dataSource);
  }

  /** One answer for each question, in two queries whatever their number. Suspended and deleted users may do nothing. */
  async answer(
    ctx: RequestContext,
    place: OrganizationScope,
    questions: readonly { userId: string; permission: string }[],
  ): Promise<PermissionAnswer[]> {
    const held = await this.query<HeldRole>(
      ctx,
      `SELECT r.user_id, r.role_id, r.organization_id, r.user_status, r.source FROM (
         SELECT tenant_id, organization_id, user_id, role_id, user_status, 'assignment' AS source FROM role_assignments
         UNION ALL SELECT tenant_id, organization_id, user_id, role_id, user_status, 'break_glass' FROM break_glass_grants
       ) r
       WHERE r.tenant_id = $1 AND r.organization_id = ANY($2) AND r.user_id = ANY($3)
       ORDER BY r.organization_id, r.role_id, r.source`,
      [place.tenantId, [...place.ancestorIds, place.id], [...new Set(questions.map(({ userId }) => userId))]],
    );
    const roles = await this.roles.byIds(
      ctx,
      [place.tenantId],
      held.map(({ role_id }) => role_id),
    );
    return questions.map(({ userId, permission }) => {
      const own = held.filter(({ user_id }) => user_id === userId);
      const refusal = REFUSAL_BY_STATUS[own[0]?.user_status ?? ''];
      if (refusal) return { allowed: false, because: [], refusal };
      const because = own.flatMap((each) => grantingRole(each, roles.get(each.role_id), permission) ?? []);
      return because.length > 0 ? { allowed: true, because } : { allowed: false, because, refusal: 'not_granted' };
    });
  }
}

const REFUSAL_BY_STATUS: Readonly<Record<string, PermissionAnswer['refusal']>> = {
  suspended: 'user_suspended',
  deleted: 'user_deleted',
};

function grantingRole(held: HeldRole, role: VisibleRole | undefined, wanted: string): GrantingRole | undefined {
  const permission = role?.permissions.find((each) => holdsPermission([each], wanted));
  if (!role || permission === undefined) return undefined;
  const { organization_id: organizationId, source } = held;
  return { roleId: role.id, roleName: role.name, organizationId, source, permission };
}
