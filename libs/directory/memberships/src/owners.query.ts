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

  /** Returns the other organizations of the tenant whose only owners are users whom the organizations manage. */
  listOwnedOnlyByUsersOf(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
  ): Promise<OwnedOrganization[]> {
    return this.query(
      ctx,
      ORGANIZATION_ROW,
      `SELECT DISTINCT o.tenant_id AS "tenantId", o.id, o.name FROM directory_entries e
       JOIN role_assignments r ON r.tenant_id = $1 AND r.organization_id = e.organization_id AND r.user_id = e.user_id AND r.role_id = $3
         AND r.user_status NOT IN ('deleted', 'suspended')
       JOIN organizations o ON o.tenant_id = $1 AND o.id = r.organization_id AND o.deleted_at IS NULL
       WHERE e.tenant_id = $1 AND e.user_organization_id = ANY ($2) AND NOT e.managed AND o.id <> ALL ($2)
         AND NOT EXISTS (SELECT FROM role_assignments n JOIN directory_entries d ON d.tenant_id = $1
             AND d.organization_id = n.organization_id AND d.user_id = n.user_id
           WHERE n.tenant_id = $1 AND n.organization_id = o.id AND n.role_id = $3 AND n.user_status NOT IN ('deleted', 'suspended')
             AND (d.user_organization_id = ANY ($2)) IS NOT TRUE)
       ORDER BY o.id`,
      [tenantId, organizationIds, OWNER_ROLE_ID],
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
