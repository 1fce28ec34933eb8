import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { Repository } from 'typeorm';
import { BreakGlassOpen } from './break-glass-errors.js';
import { BreakGlassRequest, type BreakGlassStatus } from './break-glass-request.entity.js';

@Injectable()
export class BreakGlassRepository extends BaseRepository<BreakGlassRequest> {
  constructor(@InjectRepository(BreakGlassRequest) requests: Repository<BreakGlassRequest>) {
    super(requests);
  }

  /** @throws BreakGlassOpen (409) */
  async insert(ctx: RequestContext, request: BreakGlassRequest): Promise<void> {
    try {
      await this.insertRow(ctx, request);
    } catch (error) {
      throw isUniqueViolation(error, 'break_glass_requests_open_key') ? new BreakGlassOpen() : error;
    }
  }

  async save(
    ctx: RequestContext,
    request: BreakGlassRequest,
    _authorization: GainAuthorization | LossAuthorization,
  ): Promise<void> {
    await this.saveRow(ctx, request);
  }

  async find(ctx: RequestContext, organization: OrganizationScope, id: string): Promise<BreakGlassRequest | null> {
    return this.findByKey(ctx, { tenantId: organization.tenantId, organizationId: organization.id, id });
  }

  /** Locks a request until the transaction ends. Returns null if the request does not exist. */
  async lock(
    ctx: RequestContext,
    { tenantId, id }: Pick<BreakGlassRequest, 'tenantId' | 'id'>,
  ): Promise<BreakGlassRequest | null> {
    return this.rows(ctx).findOne({ where: { tenantId, id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Returns a page of the requests of an organization, newest first. */
  async list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    request: PageRequest,
    status?: BreakGlassStatus,
  ): Promise<Page<BreakGlassRequest>> {
    const where = { tenantId, organizationId, ...(status === undefined ? {} : { status }) };
    return this.findPage(ctx, 'breakGlassRequest', where, request);
  }
}
