import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** An organization that a user is a member of, with all the roles that the user has there. */
export type OwnOrganization = Pick<OrganizationScope, 'id' | 'tenantId' | 'name' | 'slug' | 'ancestorIds'> & {
  readonly roleId: string;
  readonly roleIds: readonly string[];
};

/** Reads where a user belongs, in any tree. */
@Injectable()
export class OwnOrganizations extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Oldest membership first. */
  of(ctx: RequestContext, user: Readonly<Record<'tenantId' | 'id', string>>): Promise<OwnOrganization[]> {
    return this.query(
      ctx,
      `SELECT o.id, o.tenant_id AS "tenantId", o.name, o.slug, o.ancestor_ids AS "ancestorIds", m.role_id AS "roleId",
         (SELECT json_agg(r.role_id ORDER BY r.role_id) FROM role_assignments r
          WHERE r.tenant_id = m.tenant_id AND r.organization_id = m.organization_id AND r.user_id = m.user_id) AS "roleIds"
       FROM memberships m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
       WHERE m.user_id = $1 AND m.user_tenant_id = $2 AND o.deleted_at IS NULL ORDER BY m.joined_at, o.id`,
      [user.id, user.tenantId],
    );
  }
}
