import { Injectable } from '@nestjs/common';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { SqlRepository, isUniqueViolation } from '#platform/database';
import { DataSource } from 'typeorm';
import { BreakGlassOpen } from './break-glass-errors.js';
import { BreakGlassRequest, type BreakGlassStatus } from './break-glass-request.entity.js';

type Key = Pick<BreakGlassRequest, 'tenantId' | 'id'>;

/** Requests for emergency access. What they grant is read through the view `break_glass_grants`. */
@Injectable()
export class BreakGlassRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** @throws BreakGlassOpen (409) */
  async insert(ctx: RequestContext, request: BreakGlassRequest): Promise<void> {
    try {
      await this.rows(ctx, BreakGlassRequest).insert(request);
    } catch (error) {
      throw isUniqueViolation(error, 'break_glass_requests_open_key') ? new BreakGlassOpen() : error;
    }
  }

  async save(ctx: RequestContext, request: BreakGlassRequest): Promise<void> {
    await this.rows(ctx, BreakGlassRequest).save(request);
  }

  async find(ctx: RequestContext, place: OrganizationScope, id: string): Promise<BreakGlassRequest | null> {
    return this.rows(ctx, BreakGlassRequest).findOneBy({ tenantId: place.tenantId, organizationId: place.id, id });
  }

  /** The same, held until the transaction ends. */
  async lock(ctx: RequestContext, { tenantId, id }: Key): Promise<BreakGlassRequest | null> {
    return this.rows(ctx, BreakGlassRequest).findOne({ where: { tenantId, id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Newest first. */
  async list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    request: PageRequest,
    status?: BreakGlassStatus,
  ): Promise<Page<BreakGlassRequest>> {
    const where = { tenantId, organizationId, ...(status === undefined ? {} : { status }) };
    return this.pageById(ctx, BreakGlassRequest, 'breakGlassRequest', where, request);
  }

  /** Keys of requests whose time is over though their status does not say so yet. */
  async findOverdue(ctx: RequestContext, limit: number): Promise<Key[]> {
    return this.query<Key>(
      ctx,
      `SELECT tenant_id AS "tenantId", id FROM break_glass_requests
       WHERE (status = 'pending' AND expires_at <= now()) OR (status = 'approved' AND ends_at <= now()) LIMIT $1`,
      [limit],
    );
  }

  /** Whether the user is owner there or above only because of such a request. */
  async ownsByEmergency(ctx: RequestContext, { tenantId, id, ancestorIds }: OrganizationScope, userId: string): Promise<boolean> {
    const rows = await this.query(
      ctx,
      `SELECT FROM break_glass_requests
       WHERE tenant_id = $1 AND organization_id = ANY($2) AND requester_id = $3 AND status = 'approved' AND ends_at > now() LIMIT 1`,
      [tenantId, [...ancestorIds, id], userId],
    );
    return rows.length > 0;
  }
}
