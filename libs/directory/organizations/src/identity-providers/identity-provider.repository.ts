import { Injectable } from '@nestjs/common';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource, In } from 'typeorm';
import { IdentityProvider } from './identity-provider.entity.js';

type Place = Pick<OrganizationScope, 'id' | 'tenantId'>;

/** An organization's identity providers. */
@Injectable()
export class IdentityProviderRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, provider: IdentityProvider): Promise<void> {
    await this.rows(ctx, IdentityProvider).insert(provider);
  }

  async save(ctx: RequestContext, provider: IdentityProvider): Promise<void> {
    await this.rows(ctx, IdentityProvider).save(provider);
  }

  async remove(ctx: RequestContext, { tenantId, id }: IdentityProvider): Promise<void> {
    await this.rows(ctx, IdentityProvider).delete({ tenantId, id });
  }

  all(ctx: RequestContext, { tenantId, id: organizationId }: Place): Promise<IdentityProvider[]> {
    return this.rows(ctx, IdentityProvider).find({ where: { tenantId, organizationId }, order: { id: 'ASC' } });
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: Place, id: string): Promise<IdentityProvider | null> {
    return this.rows(ctx, IdentityProvider).findOneBy({ tenantId, organizationId, id });
  }

  lock(ctx: RequestContext, { tenantId, id: organizationId }: Place, id: string): Promise<IdentityProvider | null> {
    return this.rows(ctx, IdentityProvider).findOne({
      where: { tenantId, organizationId, id },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Providers of these organizations that are switched on, the oldest first. */
  enabled(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<IdentityProvider[]> {
    return this.rows(ctx, IdentityProvider).find({
      where: { tenantId, organizationId: In([...organizationIds]), enabled: true },
      order: { id: 'ASC' },
    });
  }

  /** @throws InvalidCursor (400) */
  async page(
    ctx: RequestContext,
    { tenantId, id: organizationId }: Place,
    request: PageRequest,
  ): Promise<Page<IdentityProvider>> {
    return this.pageById(ctx, IdentityProvider, 'identityProvider', { tenantId, organizationId }, request);
  }
}
