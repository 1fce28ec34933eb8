import { Injectable } from '@nestjs/common';
import { PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { BaseQuery, column, isUniqueViolation, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { OAuthResourceIdentifierTaken } from './oauth-resource-errors.js';
import type { OAuthResource } from './oauth-resource.entity.js';

const ID_ROW = row({ id: column.text() });
const SCOPES_ROW = row({ identifier: column.text(), scopes: column.arrayOf(column.text()) });

/** The names of the scopes of a resource. */
export type NamedScopes = Readonly<RowOf<typeof SCOPES_ROW>>;

export interface OrganizationPath {
  readonly id: string;
  readonly tenantId: string;
  readonly ancestorIds: readonly string[];
}

const SCOPES = `SELECT identifier, ARRAY(SELECT jsonb_array_elements(scopes) ->> 'name') AS scopes
  FROM oauth_resources WHERE tenant_id = $1 AND identifier = ANY ($2)`;
const LOOKUP = { prepared: true, connection: 'shared' } as const;

/** Finds resources for tokens, keeps the identifiers of resources unique across all tenants, and deletes resources of purged organizations. */
@Injectable()
export class OAuthResourceQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the resources with these identifiers that an organization or its ancestors have. */
  listOfOrganizations(
    ctx: RequestContext,
    { tenantId, id, ancestorIds }: OrganizationPath,
    identifiers: readonly string[],
  ): Promise<NamedScopes[]> {
    const values = [tenantId, identifiers, [...ancestorIds, id]];
    return this.query(ctx, SCOPES_ROW, `${SCOPES} AND organization_id = ANY ($3)`, values, LOOKUP);
  }

  listOfPlatform(ctx: RequestContext, identifiers: readonly string[]): Promise<NamedScopes[]> {
    const sql = `${SCOPES} AND organization_id IS NULL`;
    return this.query(ctx, SCOPES_ROW, sql, [PLATFORM_TENANT, identifiers], LOOKUP);
  }

  /** @throws OAuthResourceIdentifierTaken (409) */
  async claimIdentifier(ctx: RequestContext, { identifier, tenantId, id }: OAuthResource): Promise<void> {
    const sql = `INSERT INTO token_hashes (hash, kind, tenant_id, subject_id) VALUES ($1, 'oauth_resource', $2, $3)`;
    try {
      await this.execute(ctx, sql, [hashToken(identifier), tenantId, id]);
    } catch (error) {
      throw isUniqueViolation(error, 'token_hashes_pkey') ? new OAuthResourceIdentifierTaken(identifier) : error;
    }
  }

  async releaseIdentifier(ctx: RequestContext, { identifier }: OAuthResource): Promise<void> {
    await this.execute(ctx, `DELETE FROM token_hashes WHERE hash = $1 AND kind = 'oauth_resource'`, [hashToken(identifier)]);
  }

  async deleteOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM oauth_resources WHERE tenant_id = $1 AND organization_id = ANY ($2) RETURNING id';
    const deleted = await this.query(ctx, ID_ROW, sql, [tenantId, organizationIds]);
    await this.execute(
      ctx,
      `DELETE FROM token_hashes WHERE tenant_id = $1 AND subject_id = ANY ($2) AND kind = 'oauth_resource'`,
      [tenantId, deleted.map(({ id }) => id)],
    );
  }
}
