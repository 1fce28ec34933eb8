import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

const ACCOUNT_ROW = row({
  tenantId: column.text(),
  organizationId: column.text(),
  managingOrganizationId: column.text(),
  /** The address of the account, which can differ from the requested address in its notation. */
  email: column.text(),
  locale: column.nullable(column.text()),
});

/** An active account in an organization. */
export type AccountOrganization = Readonly<RowOf<typeof ACCOUNT_ROW>>;

/** An email lists at most so many organizations. */
const ORGANIZATIONS_MAX = 50;

@Injectable()
export class AccountOrganizationsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns the organizations of all tenants in whose directory an active user with this email address is. Guests sign in to an organization
   * of their own tenant, so the list leaves out organizations of other tenants.
   */
  list(ctx: RequestContext, email: string): Promise<AccountOrganization[]> {
    return this.query(
      ctx,
      ACCOUNT_ROW,
      `SELECT e.tenant_id AS "tenantId", e.organization_id AS "organizationId", e.user_organization_id AS "managingOrganizationId",
         u.email, u.locale
       FROM directory_entries e JOIN users u ON u.tenant_id = e.tenant_id AND u.id = e.user_id
       WHERE e.email_key = $1 AND e.user_tenant_id = e.tenant_id AND u.status = 'active'
       ORDER BY e.tenant_id, e.organization_id LIMIT ${ORGANIZATIONS_MAX}`,
      [emailKey(email)],
      { prepared: true, connection: 'shared' },
    );
  }
}
