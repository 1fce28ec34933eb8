import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, changedKey, column, row } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { TokenHashQuery } from '#directory/sessions';
import { DataSource } from 'typeorm';

const ID_ROW = row({ id: column.text() });
const BATCH_SIZE = 10_000;

/** Deletes connections with their tokens, and releases their users and groups. */
@Injectable()
export class ScimDeletionQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** Deletes connections. Their users and groups stay, without an owner. */
  async delete(ctx: RequestContext, tenantId: string, connectionIds: readonly string[], _loss: LossAuthorization): Promise<void> {
    const key = [tenantId, connectionIds];
    await this.release(ctx, 'groups', key);
    await this.release(ctx, 'users', key);
    const sql = 'DELETE FROM scim_tokens WHERE tenant_id = $1 AND connection_id = ANY ($2) RETURNING id';
    const tokens = await this.query(ctx, ID_ROW, sql, key);
    await this.tokenHashes.deleteOf(
      ctx,
      'scim_token',
      tenantId,
      tokens.map(({ id }) => id),
    );
    await this.execute(ctx, 'DELETE FROM scim_connections WHERE tenant_id = $1 AND id = ANY ($2)', key);
  }

  /** Deletes what a connection recorded in preview. */
  async deletePreview(ctx: RequestContext, { tenantId, id }: { readonly tenantId: string; readonly id: string }): Promise<void> {
    for (const table of ['scim_preview_groups', 'scim_preview_users'])
      await this.execute(ctx, `DELETE FROM ${table} WHERE tenant_id = $1 AND connection_id = $2`, [tenantId, id]);
  }

  /** Deletes what connections recorded in preview about a user. */
  async deletePreviewOfUser(
    ctx: RequestContext,
    { tenantId, id }: { readonly tenantId: string; readonly id: string },
  ): Promise<void> {
    const sql = `DELETE FROM scim_preview_users WHERE tenant_id = $1 AND user_id = $2
      AND connection_id = ANY (ARRAY(SELECT c.id FROM scim_connections c WHERE c.tenant_id = $1))`;
    await this.execute(ctx, sql, [tenantId, id]);
  }

  async deleteByOrganizations(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    const sql = 'SELECT id FROM scim_connections WHERE tenant_id = $1 AND organization_id = ANY ($2)';
    const connections = await this.query(ctx, ID_ROW, sql, [tenantId, organizationIds]);
    if (connections.length === 0) return;
    await this.delete(
      ctx,
      tenantId,
      connections.map(({ id }) => id),
      loss,
    );
  }

  /** A million users are released in batches, because the history reads the changed rows. */
  private async release(ctx: RequestContext, table: 'users' | 'groups', key: readonly unknown[]): Promise<void> {
    const sql = `UPDATE ${table} t SET managed_by = NULL, version = t.version + 1 WHERE t.tenant_id = $1 AND t.id IN (
        SELECT s.id FROM ${table} s WHERE s.tenant_id = $1 AND s.managed_by = ANY ($2) ORDER BY s.id LIMIT ${BATCH_SIZE} FOR UPDATE
      ) RETURNING ${changedKey(table, 't')}`;
    while ((await this.executeRowChanges(ctx, sql, key)) === BATCH_SIZE);
  }
}
