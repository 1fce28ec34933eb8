import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

const PROVIDER_ROW = row({ id: column.text(), name: column.text(), organizationId: column.text() });
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

  /** Returns an identity provider of the organization or a descendant that is trusted for the domain. */
  async findTrusting(
    ctx: RequestContext,
    { tenantId, id }: Readonly<Record<'tenantId' | 'id', string>>,
    domain: string,
  ): Promise<RowOf<typeof PROVIDER_ROW> | undefined> {
    const [provider] = await this.query(
      ctx,
      PROVIDER_ROW,
      `SELECT p.id, p.name, p.organization_id AS "organizationId" FROM identity_providers p
       JOIN organizations o ON o.tenant_id = $1 AND o.id = p.organization_id AND (o.id = $2 OR o.ancestor_ids @> ARRAY[$2])
       WHERE p.tenant_id = $1 AND p.trusted_domains @> ARRAY[$3] ORDER BY p.id LIMIT 1`,
      [tenantId, id, domain],
    );
    return provider;
  }
}
