import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { ScimConnection } from '../scim-connection.entity.js';

/** The time in which removals count, and in which they can be rolled back. */
export const HOUR_MS = 3_600_000;

export type RemovalKind = 'suspended' | 'deleted';
/** `both`: suspended and, within an hour, deleted. */
type RecordedKind = RemovalKind | 'both';

const COUNT_ROW = row({ count: column.integer() });
const REMOVAL_ROW = row({ userId: column.text(), kind: column.text<RecordedKind>() });
const JOB_ROW = row({ tenantId: column.text(), id: column.text(), mode: column.text() });

/** A user whom a connection suspended or deleted. */
export type Removal = RowOf<typeof REMOVAL_ROW>;
type ConnectionKey = Pick<ScimConnection, 'tenantId' | 'id'>;

/** Reads and writes the last removal of each user by a connection, and finds connections with a background job. */
@Injectable()
export class ScimRemovalsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async record(ctx: RequestContext, { tenantId, id }: ConnectionKey, userId: string, kind: RemovalKind, at: Date): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO scim_removals (tenant_id, connection_id, user_id, kind, removed_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, connection_id, user_id) DO UPDATE SET removed_at = excluded.removed_at, kind = CASE
         WHEN scim_removals.kind = 'suspended' AND excluded.kind = 'deleted'
           AND scim_removals.removed_at > $6 THEN 'both' ELSE excluded.kind END`,
      // Citus accepts no arithmetic with times there.
      [tenantId, id, userId, kind, at, new Date(at.getTime() - HOUR_MS)],
    );
  }

  async delete(ctx: RequestContext, { tenantId, id }: ConnectionKey, userId: string): Promise<boolean> {
    const sql = 'DELETE FROM scim_removals WHERE tenant_id = $1 AND connection_id = $2 AND user_id = $3';
    return (await this.execute(ctx, sql, [tenantId, id, userId])) === 1;
  }

  /** Counts the users whom a connection removed since a time, without the user `exceptId`. */
  async countSince(ctx: RequestContext, { tenantId, id }: ConnectionKey, since: Date, exceptId = ''): Promise<number> {
    const sql = `SELECT count(*)::int AS count FROM scim_removals
      WHERE tenant_id = $1 AND connection_id = $2 AND removed_at > $3 AND user_id <> $4`;
    return (await this.query(ctx, COUNT_ROW, sql, [tenantId, id, since, exceptId]))[0]?.count ?? 0;
  }

  /** Counts the users of a connection who are not suspended, up to a limit. */
  async countUsers(ctx: RequestContext, { tenantId, id }: ConnectionKey, limit: number): Promise<number> {
    const sql = `SELECT count(*)::int AS count FROM (SELECT FROM users u
      WHERE u.tenant_id = $1 AND u.managed_by = $2 AND u.status IN ('active', 'pending') LIMIT $3) counted`;
    return (await this.query(ctx, COUNT_ROW, sql, [tenantId, id, limit]))[0]?.count ?? 0;
  }

  listSince(ctx: RequestContext, { tenantId, id }: ConnectionKey, since: Date, limit: number): Promise<Removal[]> {
    return this.query(
      ctx,
      REMOVAL_ROW,
      `SELECT user_id AS "userId", kind FROM scim_removals
       WHERE tenant_id = $1 AND connection_id = $2 AND removed_at > $3 ORDER BY removed_at, user_id LIMIT $4`,
      [tenantId, id, since, limit],
    );
  }

  /** Returns whether a preview has changes that were not applied yet. Changes that could not be applied don't count. */
  async hasRecordedChanges(ctx: RequestContext, { tenantId, id }: ConnectionKey): Promise<boolean> {
    const recorded = (table: string) => `SELECT FROM ${table} WHERE tenant_id = $1 AND connection_id = $2 AND error IS NULL`;
    const sql = `SELECT (EXISTS (${recorded('scim_preview_users')}) OR EXISTS (${recorded('scim_preview_groups')}))::int AS count`;
    return (await this.query(ctx, COUNT_ROW, sql, [tenantId, id]))[0]?.count === 1;
  }

  /** Returns connections of all tenants with a background job. The jobs of deleted organizations wait until the organization is restored. */
  listJobs(ctx: RequestContext, limit: number): Promise<RowOf<typeof JOB_ROW>[]> {
    return this.query(
      ctx,
      JOB_ROW,
      `SELECT c.tenant_id AS "tenantId", c.id, c.mode FROM scim_connections c
       JOIN organizations o ON o.tenant_id = c.tenant_id AND o.id = c.organization_id AND o.deleted_at IS NULL
       WHERE c.mode IN ('applying', 'rolling_back') ORDER BY c.tenant_id, c.id LIMIT $1`,
      [limit],
    );
  }
}
