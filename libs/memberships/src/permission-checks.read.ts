import { Injectable } from '@nestjs/common';
import { holdsPermission, type OrganizationScope, type RequestContext } from '#common';
import { BaseRepository } from '#database';
import { RolesService } from '#roles';
import { DataSource } from 'typeorm';

/** A role that grants a permission, and where the user has it. */
export interface GrantingRole {
  readonly roleId: string;
  readonly roleName: string;
  readonly organizationId: string;
}

export interface PermissionAnswer {
  readonly allowed: boolean;
  readonly because: GrantingRole[];
}

/** Says whether users may do something in an organization, and why: roles count there and in the organizations below. */
@Injectable()
export class PermissionChecks extends BaseRepository {
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
    const held = await this.query<{ user_id: string; role_id: string; organization_id: string }>(
      ctx,
      `SELECT r.user_id, r.role_id, r.organization_id FROM (
         SELECT tenant_id, organization_id, user_id, role_id, user_status FROM role_assignments
         UNION ALL SELECT tenant_id, organization_id, user_id, role_id, user_status FROM break_glass_grants
       ) r
       WHERE r.tenant_id = $1 AND r.organization_id = ANY($2) AND r.user_id = ANY($3) AND r.user_status NOT IN ('suspended', 'deleted')
       ORDER BY r.organization_id, r.role_id`,
      [place.tenantId, [...place.ancestorIds, place.id], [...new Set(questions.map(({ userId }) => userId))]],
    );
    const roles = await this.roles.byIds(
      ctx,
      held.map(({ role_id }) => role_id),
    );
    return questions.map(({ userId, permission }) => {
      const because = held
        .filter((each) => each.user_id === userId && holdsPermission(roles.get(each.role_id)?.permissions ?? [], permission))
        .map((each) => ({ roleId: each.role_id, roleName: roles.get(each.role_id)!.name, organizationId: each.organization_id }));
      return { allowed: because.length > 0, because };
    });
  }
}
