import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { ApprovalRequest } from './approval-request.entity.js';

const REQUEST_ROW = row({
  approvalId: column.text(),
  userTenantId: column.text(),
  userId: column.text(),
  email: column.text(),
  reason: column.text(),
  createdAt: column.timestamp(),
});

/** A user who asked for an application. */
export type AskingUser = Readonly<RowOf<typeof REQUEST_ROW>>;

const COUNT_ROW = row({ ofUser: column.integer(), ofApproval: column.integer() });
const APPROVED_ROW = row({});
const STATUS_ROW = row({ status: column.text<'pending' | 'denied'>() });

/** Reads and writes who asked for applications, and reads which applications are approved. */
@Injectable()
export class ApprovalRequestQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns whether the organization or an ancestor approved a client. */
  async isApproved(
    ctx: RequestContext,
    { tenantId, id, ancestorIds }: Pick<OrganizationScope, 'tenantId' | 'id' | 'ancestorIds'>,
    clientId: string,
  ): Promise<boolean> {
    const sql = `SELECT FROM application_approvals WHERE tenant_id = $1 AND client_id = $2 AND organization_id = ANY ($3) AND status = 'approved' LIMIT 1`;
    return (await this.query(ctx, APPROVED_ROW, sql, [tenantId, clientId, [...ancestorIds, id]], { prepared: true })).length > 0;
  }

  /** Returns whether a user waits for a client, or an owner denied it. */
  async findStatus(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
    clientId: string,
    userId: string,
  ): Promise<'pending' | 'denied' | null> {
    const [found] = await this.query(
      ctx,
      STATUS_ROW,
      `SELECT a.status FROM application_approvals a
       WHERE a.tenant_id = $1 AND a.organization_id = $2 AND a.client_id = $3 AND (a.status = 'denied' OR a.status = 'pending' AND EXISTS
         (SELECT FROM application_approval_requests r WHERE r.tenant_id = $1 AND r.approval_id = a.id AND r.user_id = $4))`,
      [tenantId, id, clientId, userId],
    );
    return found?.status ?? null;
  }

  /** Returns who asked, the first first. */
  listOf(ctx: RequestContext, tenantId: string, approvalIds: readonly string[]): Promise<AskingUser[]> {
    return this.query(
      ctx,
      REQUEST_ROW,
      `SELECT approval_id AS "approvalId", user_tenant_id AS "userTenantId", user_id AS "userId", email, reason, created_at AS "createdAt"
       FROM application_approval_requests WHERE tenant_id = $1 AND approval_id = ANY ($2) ORDER BY created_at, user_id`,
      [tenantId, approvalIds],
    );
  }

  /** Counts the applications of an organization for which a user waits, and the users who wait for an approval. */
  async count(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
    approvalId: string,
    userId: string,
  ): Promise<RowOf<typeof COUNT_ROW>> {
    const [counts] = await this.query(
      ctx,
      COUNT_ROW,
      `SELECT count(*) FILTER (WHERE r.user_id = $4)::int AS "ofUser", count(*) FILTER (WHERE r.approval_id = $3)::int AS "ofApproval"
       FROM application_approval_requests r JOIN application_approvals a ON a.tenant_id = $1 AND a.id = r.approval_id
       WHERE r.tenant_id = $1 AND a.organization_id = $2 AND a.status = 'pending' AND (r.user_id = $4 OR r.approval_id = $3)`,
      [tenantId, id, approvalId, userId],
    );
    return counts ?? { ofUser: 0, ofApproval: 0 };
  }

  async insert(ctx: RequestContext, request: ApprovalRequest): Promise<void> {
    const { tenantId, approvalId, userTenantId, userId, email, reason, createdAt } = request;
    await this.execute(
      ctx,
      `INSERT INTO application_approval_requests (tenant_id, approval_id, user_tenant_id, user_id, email, reason, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (tenant_id, approval_id, user_id) DO UPDATE SET email = excluded.email, reason = excluded.reason`,
      [tenantId, approvalId, userTenantId, userId, email, reason, createdAt],
    );
  }

  /** Forgets who asked, before the question is asked anew. */
  async deleteOf(ctx: RequestContext, tenantId: string, approvalId: string): Promise<void> {
    const sql = 'DELETE FROM application_approval_requests WHERE tenant_id = $1 AND approval_id = $2';
    await this.execute(ctx, sql, [tenantId, approvalId]);
  }

  /** Deletes the requests of a user who is deleted permanently, in all tenants. */
  async deleteOfUser(ctx: RequestContext, userId: string): Promise<void> {
    await this.execute(ctx, 'DELETE FROM application_approval_requests WHERE user_id = $1', [userId]);
  }
}
