import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { Repository } from 'typeorm';
import { ImpersonationOpen } from './impersonation-errors.js';
import { Impersonation, type ImpersonationStatus } from './impersonation.entity.js';

export interface ImpersonationFilter {
  readonly status?: ImpersonationStatus | undefined;
  readonly userId?: string | undefined;
}

@Injectable()
export class ImpersonationRepository extends BaseRepository<Impersonation> {
  constructor(@InjectRepository(Impersonation) impersonations: Repository<Impersonation>) {
    super(impersonations);
  }

  /** @throws ImpersonationOpen (409) */
  async insert(ctx: RequestContext, impersonation: Impersonation, _authorization: GainAuthorization): Promise<void> {
    try {
      await this.insertRow(ctx, impersonation);
    } catch (error) {
      throw isUniqueViolation(error, 'impersonations_open_key') ? new ImpersonationOpen() : error;
    }
  }

  async save(
    ctx: RequestContext,
    impersonation: Impersonation,
    _authorization: GainAuthorization | LossAuthorization,
  ): Promise<void> {
    await this.saveRow(ctx, impersonation);
  }

  async find(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    id: string,
  ): Promise<Impersonation | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id });
  }

  async findOne(ctx: RequestContext, { tenantId, id }: UserKey): Promise<Impersonation | null> {
    return this.findByKey(ctx, { tenantId, id });
  }

  /** Locks an impersonation until the transaction ends. Returns null if it does not exist. */
  async lock(ctx: RequestContext, { tenantId, id }: UserKey): Promise<Impersonation | null> {
    return this.rows(ctx).findOne({ where: { tenantId, id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Returns a page of the impersonations of users whom an organization manages, newest first. */
  async list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationScope,
    request: PageRequest,
    { status, userId }: ImpersonationFilter,
  ): Promise<Page<Impersonation>> {
    const filter = { ...(status === undefined ? {} : { status }), ...(userId === undefined ? {} : { userId }) };
    return this.findPage(ctx, 'impersonation', { tenantId, organizationId, ...filter }, request);
  }

  /** Returns a page of the impersonations of a user, newest first. */
  async listOf(ctx: RequestContext, { tenantId, id: userId }: UserKey, request: PageRequest): Promise<Page<Impersonation>> {
    return this.findPage(ctx, 'impersonation', { tenantId, userId }, request);
  }
}
