import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createdInSetup, type OrganizationScope, type Page, type PageRequest, type RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation, lockKey } from '#platform/database';
import type { LossAuthorization, PolicyAuthorization } from '#directory/privileges';
import { In, LessThanOrEqual, Repository } from 'typeorm';
import { DomainNameTaken } from './domain-errors.js';
import { Domain } from './domain.entity.js';

type Organization = Pick<OrganizationScope, 'id' | 'tenantId'>;
export type DomainKey = Pick<Domain, 'tenantId' | 'id'>;

@Injectable()
export class DomainRepository extends BaseRepository<Domain> {
  constructor(@InjectRepository(Domain) domains: Repository<Domain>) {
    super(domains);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<Domain | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id, ...createdInSetup(ctx) });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<Domain | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id, ...createdInSetup(ctx) }, 'FOR UPDATE');
  }

  /** Locks the row until the transaction ends. */
  lockByKey(ctx: RequestContext, { tenantId, id }: DomainKey): Promise<Domain | null> {
    return this.findByKey(ctx, { tenantId, id }, 'FOR UPDATE');
  }

  /**
   * Returns a page of the domains of an organization, newest first.
   * @throws InvalidCursor (400)
   */
  list(ctx: RequestContext, { tenantId, id: organizationId }: Organization, request: PageRequest): Promise<Page<Domain>> {
    return this.findPage(ctx, 'domain', { tenantId, organizationId, ...createdInSetup(ctx) }, request);
  }

  /** Returns domains of all tenants whose check is due, the longest due first. */
  listDue(ctx: RequestContext, now: Date, limit: number): Promise<DomainKey[]> {
    return this.rows(ctx).find({
      select: { tenantId: true, id: true },
      where: { nextCheckAt: LessThanOrEqual(now) },
      order: { nextCheckAt: 'ASC' },
      take: limit,
    });
  }

  /** Counts the domains of an organization. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, { tenantId, id: organizationId }: Organization): Promise<number> {
    await lockKey(ctx, 'domains', organizationId);
    return this.rows(ctx).countBy({ tenantId, organizationId });
  }

  /** @throws DomainNameTaken */
  async insert(ctx: RequestContext, domain: Domain): Promise<void> {
    try {
      await this.rows(ctx).insert(domain);
    } catch (error) {
      throw isUniqueViolation(error, 'domains_name_key') ? new DomainNameTaken(domain.name) : error;
    }
  }

  async update(ctx: RequestContext, domain: Domain): Promise<void> {
    await this.rows(ctx).save(domain);
  }

  async delete(ctx: RequestContext, { tenantId, id }: Domain, _policy: PolicyAuthorization): Promise<void> {
    await this.rows(ctx).delete({ tenantId, id });
  }

  async deleteByOrganizations(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<void> {
    await this.rows(ctx).delete({ tenantId, organizationId: In([...organizationIds]) });
  }
}
