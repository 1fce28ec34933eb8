import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext, SetupStep } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { LossAuthorization, SignInAuthorization } from '#directory/privileges';
import { TokenHashQuery } from '#directory/sessions';
import { DataSource } from 'typeorm';
import type { SetupLink } from './setup-link.entity.js';

const ID_ROW = row({ id: column.text() });
const KNOWN_LINK_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  steps: column.arrayOf(column.text<SetupStep>()),
  expiresAt: column.timestamp(),
  createdAt: column.timestamp(),
  ownerTenantId: column.nullable(column.text()),
  ownerId: column.nullable(column.text()),
  createdByKeyId: column.nullable(column.text()),
  organization: column.json<OrganizationScope>(),
  /** Whether the organization or one of its ancestors is suspended. */
  suspended: column.boolean(),
});

const LOOKUP = { prepared: true, connection: 'shared' } as const;

export type KnownSetupLink = Readonly<RowOf<typeof KNOWN_LINK_ROW>>;

/** Finds setup links by the hash of their token, and deletes setup links with their hashes. */
@Injectable()
export class SetupLinkQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** Returns the setup link with this hash, or undefined if there is none or its organization is deleted. */
  async findByHash(ctx: RequestContext, hash: Buffer): Promise<KnownSetupLink | undefined> {
    const subject = await this.tokenHashes.find(ctx, 'setup_link', hash);
    if (!subject) return undefined;
    const [link] = await this.query(
      ctx,
      KNOWN_LINK_ROW,
      `SELECT l.id, l.tenant_id AS "tenantId", l.steps, l.expires_at AS "expiresAt", l.created_at AS "createdAt",
         l.owner_tenant_id AS "ownerTenantId", l.owner_id AS "ownerId", l.created_by_key_id AS "createdByKeyId",
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'slug', o.slug, 'status', o.status,
           'ancestorIds', o.ancestor_ids) AS organization,
         EXISTS (SELECT FROM organizations s WHERE s.tenant_id = $1 AND s.status = 'suspended'
           AND s.id = ANY (o.ancestor_ids || o.id)) AS suspended
       FROM setup_links l JOIN organizations o ON o.tenant_id = $1 AND o.id = l.organization_id AND o.deleted_at IS NULL
       WHERE l.tenant_id = $1 AND l.id = $2`,
      [subject.tenantId, subject.id],
      LOOKUP,
    );
    return link;
  }

  async insertHash(ctx: RequestContext, hash: Buffer, { tenantId, id }: SetupLink): Promise<void> {
    await this.tokenHashes.insert(ctx, 'setup_link', hash, { tenantId, id });
  }

  async delete(
    ctx: RequestContext,
    { tenantId, id }: SetupLink,
    _authorization: LossAuthorization | SignInAuthorization,
  ): Promise<void> {
    await this.execute(ctx, 'DELETE FROM setup_links WHERE tenant_id = $1 AND id = $2', [tenantId, id]);
    await this.tokenHashes.deleteOf(ctx, 'setup_link', tenantId, [id]);
  }

  /** Deletes the links of an organization that expired before a time. */
  async deleteExpired(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'id' | 'tenantId'>,
    before: Date,
  ): Promise<void> {
    const sql = 'DELETE FROM setup_links WHERE tenant_id = $1 AND organization_id = $2 AND expires_at <= $3 RETURNING id';
    await this.tokenHashes.deleteOf(ctx, 'setup_link', tenantId, await this.deletedIds(ctx, sql, [tenantId, id, before]));
  }

  async deleteByOrganizations(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<void> {
    const sql = 'DELETE FROM setup_links WHERE tenant_id = $1 AND organization_id = ANY ($2) RETURNING id';
    await this.tokenHashes.deleteOf(ctx, 'setup_link', tenantId, await this.deletedIds(ctx, sql, [tenantId, organizationIds]));
  }

  private async deletedIds(ctx: RequestContext, sql: string, parameters: unknown[]): Promise<string[]> {
    return (await this.query(ctx, ID_ROW, sql, parameters)).map(({ id }) => id);
  }
}
