import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';

const ORGANIZATION_ROW = row({ organizationId: column.text() });

/** Finds the identity providers with which existing users can sign in. */
@Injectable()
export class SsoProvidersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the ids of the organizations of a tenant with an enabled identity provider that is trusted for an email domain. */
  async listOrganizationIds(ctx: RequestContext, tenantId: string): Promise<ReadonlySet<string>> {
    const rows = await this.query(
      ctx,
      ORGANIZATION_ROW,
      `SELECT DISTINCT organization_id AS "organizationId" FROM identity_providers
       WHERE tenant_id = $1 AND enabled AND cardinality(trusted_domains) > 0`,
      [tenantId],
    );
    return new Set(rows.map(({ organizationId }) => organizationId));
  }
}
