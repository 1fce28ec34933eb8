import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { BaseQuery, column, isUniqueViolation, row } from '#platform/database';
import { TokenHashQuery } from '#directory/sessions';
import { DataSource } from 'typeorm';
import { comparableIdentifier } from './resource-identifier.js';
import { OAuthResourceIdentifierTaken } from './oauth-resource-errors.js';
import type { OAuthResource } from './oauth-resource.entity.js';

const ID_ROW = row({ id: column.text() });

/** Keeps the identifiers of resources unique across all tenants, and deletes resources of purged organizations. */
@Injectable()
export class OAuthResourceQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** @throws OAuthResourceIdentifierTaken (409) */
  async claimIdentifier(ctx: RequestContext, { identifier, tenantId, id }: OAuthResource): Promise<void> {
    try {
      await this.tokenHashes.insert(ctx, 'oauth_resource', identifierHash(identifier), { tenantId, id });
    } catch (error) {
      throw isUniqueViolation(error, 'token_hashes_pkey') ? new OAuthResourceIdentifierTaken(identifier) : error;
    }
  }

  async releaseIdentifier(ctx: RequestContext, { identifier }: OAuthResource): Promise<void> {
    await this.tokenHashes.delete(ctx, 'oauth_resource', identifierHash(identifier));
  }

  /** Returns whether an audience is the identifier of a resource of any tenant. */
  async isClaimed(ctx: RequestContext, audience: string): Promise<boolean> {
    return (await this.tokenHashes.find(ctx, 'oauth_resource', identifierHash(audience))) !== undefined;
  }

  async deleteOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM oauth_resources WHERE tenant_id = $1 AND organization_id = ANY ($2) RETURNING id';
    const deleted = await this.query(ctx, ID_ROW, sql, [tenantId, organizationIds]);
    await this.tokenHashes.deleteOf(
      ctx,
      'oauth_resource',
      tenantId,
      deleted.map(({ id }) => id),
    );
  }
}

const identifierHash = (identifier: string): Buffer => hashToken(comparableIdentifier(identifier));
