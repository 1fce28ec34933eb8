import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation, lockKey } from '#platform/database';
import { In, Repository } from 'typeorm';
import { DomainNameTaken } from './domain-errors.js';
import { Domain } from './domain.entity.js';

type Organization = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class DomainRepository extends BaseRepository<Domain> {
  constructor(@InjectRepository(Domain) domains: Repository<Domain>) {
    super(domains);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<Domain | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<Domain | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id }, 'FOR UPDATE');
  }

  /**
   * Returns a page of the domains of an organization, newest first.
   * @throws InvalidCursor (400)
   */
  list(ctx: RequestContext, { tenantId, id: organizationId }: Organization, request: PageRequest): Promise<Page<Domain>> {
    return this.findPage(ctx, 'domain', { tenantId, organizationId }, request);
  }

  /** Counts the domains of an organization. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, { tenantId, id: organizationId }: Organization): Promise<number> {
    await lockKey(ctx, 'domains', organizationId);
    return this.rows(ctx).countBy({ tenantId, organizationId });
  }

  /** @throws DomainNameTaken */
  async insert(ctx: RequestContext, domain: Domain): Promise<void> {
    await this.withUniqueName(domain, () => this.rows(ctx).insert(domain));
  }

  /** @throws DomainNameTaken */
  async update(ctx: RequestContext, domain: Domain): Promise<void> {
    await this.withUniqueName(domain, () => this.rows(ctx).save(domain));
  }

  async delete(ctx: RequestContext, { tenantId, id }: Domain): Promise<void> {
    await this.rows(ctx).delete({ tenantId, id });
  }

  async deleteByOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.rows(ctx).delete({ tenantId, organizationId: In([...organizationIds]) });
  }

  private async withUniqueName(domain: Domain, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw isUniqueViolation(error, 'domains_name_key') ? new DomainNameTaken(domain.name) : error;
    }
  }
}
