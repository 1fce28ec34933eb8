import { Injectable } from '@nestjs/common';
import { PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { BaseQuery, column, isUniqueViolation, row, type RowOf } from '#platform/database';
import { TokenHashQuery, type TokenSubject } from '#directory/sessions';
import { DataSource } from 'typeorm';
import { comparableIdentifier } from './resource-identifier.js';
import { OAuthResourceIdentifierTaken } from './oauth-resource-errors.js';
import type { OAuthResource, ResourceScope } from './oauth-resource.entity.js';

const ID_ROW = row({ id: column.text() });
const SCOPES_ROW = row({ identifier: column.text(), name: column.text(), scopes: column.json<ResourceScope[]>() });

/** A resource and its scopes. */
export type ScopedResource = Readonly<RowOf<typeof SCOPES_ROW>>;

export interface OrganizationPath {
  readonly id: string;
  readonly tenantId: string;
  readonly ancestorIds: readonly string[];
}

const SCOPES = 'SELECT identifier, name, scopes FROM oauth_resources WHERE tenant_id = $1 AND identifier = ANY ($2)';
const LOOKUP = { prepared: true, connection: 'shared' } as const;

/** Finds resources for tokens, keeps the identifiers of resources unique across all tenants, and deletes resources of purged organizations. */
@Injectable()
export class OAuthResourceQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** Returns the resources with these identifiers that an organization or its ancestors have. */
  listOfOrganizations(
    ctx: RequestContext,
    { tenantId, id, ancestorIds }: OrganizationPath,
    identifiers: readonly string[],
  ): Promise<ScopedResource[]> {
    const values = [tenantId, identifiers, [...ancestorIds, id]];
    return this.query(ctx, SCOPES_ROW, `${SCOPES} AND organization_id = ANY ($3)`, values, LOOKUP);
  }

  /** Returns the resource with an identifier, of any tenant. */
  async findByIdentifier(ctx: RequestContext, identifier: string): Promise<ScopedResource | undefined> {
    const subject = await this.tokenHashes.find(ctx, 'oauth_resource', identifierHash(identifier));
    if (!subject) return undefined;
    const sql = `${SCOPES} AND id = $3`;
    const [resource] = await this.query(ctx, SCOPES_ROW, sql, [subject.tenantId, [identifier], subject.id], LOOKUP);
    return resource;
  }

  listOfPlatform(ctx: RequestContext, identifiers: readonly string[]): Promise<ScopedResource[]> {
    const sql = `${SCOPES} AND organization_id IS NULL`;
    return this.query(ctx, SCOPES_ROW, sql, [PLATFORM_TENANT, identifiers], LOOKUP);
  }

  /**
   * Claims an identifier for the tenant, until the tenant is purged: APIs accept the tokens of their identifier, so a deleted resource must
   * not pass it to another tenant.
   * @throws OAuthResourceIdentifierTaken (409)
   */
  async claimIdentifier(ctx: RequestContext, { identifier, tenantId, id }: OAuthResource): Promise<void> {
    const hash = identifierHash(identifier);
    const claim = await this.tokenHashes.find(ctx, 'oauth_resource', hash);
    if (claim?.tenantId === tenantId && (await this.replaceDeleted(ctx, hash, claim, id))) return;
    if (claim) throw new OAuthResourceIdentifierTaken(identifier);
    try {
      await this.tokenHashes.insert(ctx, 'oauth_resource', hash, { tenantId, id });
    } catch (error) {
      throw isUniqueViolation(error, 'token_hashes_pkey') ? new OAuthResourceIdentifierTaken(identifier) : error;
    }
  }

  /** Passes the claim of a deleted resource to a new one of the tenant. Returns whether it did. Of simultaneous requests, one succeeds. */
  private async replaceDeleted(
    ctx: RequestContext,
    hash: Buffer,
    { tenantId, id }: TokenSubject,
    newId: string,
  ): Promise<boolean> {
    const sql = 'SELECT id FROM oauth_resources WHERE tenant_id = $1 AND id = $2';
    const existing = await this.query(ctx, ID_ROW, sql, [tenantId, id]);
    return existing.length === 0 && this.tokenHashes.replaceSubject(ctx, 'oauth_resource', hash, id, newId);
  }

  /** Returns whether an audience is the identifier of a resource of any tenant. */
  async isClaimed(ctx: RequestContext, audience: string): Promise<boolean> {
    return (await this.tokenHashes.find(ctx, 'oauth_resource', identifierHash(audience))) !== undefined;
  }

  /** The identifiers stay claimed until the tenant itself is purged. */
  async deleteOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM oauth_resources WHERE tenant_id = $1 AND organization_id = ANY ($2)';
    await this.execute(ctx, sql, [tenantId, organizationIds]);
    if (organizationIds.includes(tenantId)) await this.tokenHashes.deleteOfTenant(ctx, 'oauth_resource', tenantId);
  }

  /** Returns the scopes of a resource that clients of the tenant have. */
  async listUsedScopes(ctx: RequestContext, tenantId: string, identifier: string): Promise<string[]> {
    const sql = `SELECT DISTINCT scope FROM oauth_clients c, jsonb_array_elements_text(c.resource_scopes -> $2) AS scope
      WHERE c.tenant_id = $1 ORDER BY scope`;
    return (await this.query(ctx, row({ scope: column.text() }), sql, [tenantId, identifier])).map(({ scope }) => scope);
  }
}

const identifierHash = (identifier: string): Buffer => hashToken(comparableIdentifier(identifier));
