import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { OWNER_ROLE_ID } from '#directory/roles';
import { DataSource } from 'typeorm';
import { tenantIdsOf, type UserInTenants } from './directory-user.js';

const ORGANIZATION_ROW = row({ tenantId: column.text(), id: column.text(), name: column.text() });

export type OwnedOrganization = RowOf<typeof ORGANIZATION_ROW>;

/** Finds the owners of organizations. Suspended and deleted users don't count as owners. */
@Injectable()
export class OwnersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the organizations that a user owns. With `organization`, returns at most this organization. */
  listOwned(
    ctx: RequestContext,
    user: UserInTenants,
    organization?: Pick<OrganizationScope, 'tenantId' | 'id'>,
  ): Promise<OwnedOrganization[]> {
    return this.query(
      ctx,
      ORGANIZATION_ROW,
      `SELECT o.tenant_id AS "tenantId", o.id, o.name FROM role_assignments r
       JOIN organizations o ON o.tenant_id = r.tenant_id AND o.id = r.organization_id
       WHERE r.tenant_id = ANY ($4) AND r.user_id = $1 AND r.role_id = $2 AND r.user_status NOT IN ('deleted', 'suspended') AND o.deleted_at IS NULL
         AND ($3::text IS NULL OR o.id = $3) ORDER BY o.id`,
      [user.id, OWNER_ROLE_ID, organization?.id ?? null, organization ? [organization.tenantId] : tenantIdsOf(user)],
    );
  }

  async hasOtherOwner(ctx: RequestContext, { tenantId, id }: OwnedOrganization, userId: string): Promise<boolean> {
    const others = await this.query(
      ctx,
      row({}),
      `SELECT FROM role_assignments WHERE tenant_id = $4 AND organization_id = $1 AND role_id = $2 AND user_id <> $3
         AND user_status NOT IN ('deleted', 'suspended') LIMIT 1`,
      [id, OWNER_ROLE_ID, userId, tenantId],
    );
    return others.length > 0;
  }
}
