import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createdInSetup, type OrganizationScope, type Page, type PageRequest, type RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { LossAuthorization, GainAuthorization, ReplacementAuthorization } from '#directory/privileges';
import { In, IsNull, Repository } from 'typeorm';
import { IdentityProvider } from './identity-provider.entity.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;
type Versioned = Pick<IdentityProvider, 'tenantId' | 'id' | 'version'>;

@Injectable()
export class IdentityProviderRepository extends BaseRepository<IdentityProvider> {
  constructor(@InjectRepository(IdentityProvider) identityProviders: Repository<IdentityProvider>) {
    super(identityProviders);
  }

  async insert(ctx: RequestContext, provider: IdentityProvider, _gain: GainAuthorization): Promise<void> {
    await this.insertRow(ctx, provider);
  }

  async save(ctx: RequestContext, provider: IdentityProvider, _authorization: ReplacementAuthorization): Promise<void> {
    await this.saveRow(ctx, provider);
  }

  async delete(ctx: RequestContext, { tenantId, id }: IdentityProvider, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId, id });
  }

  /** Sets the time of the first sign-in, unless it is set or the provider was edited during the sign-in. Does not increment the version. */
  async markTested(ctx: RequestContext, { tenantId, id, version }: Versioned, testedAt: Date): Promise<void> {
    const update = this.rows(ctx)
      .createQueryBuilder()
      .update()
      .set({ testedAt, version: () => 'version' });
    await update.where({ tenantId, id, version, testedAt: IsNull() }).execute();
  }

  listAll(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef): Promise<IdentityProvider[]> {
    return this.rows(ctx).find({ where: { tenantId, organizationId }, order: { id: 'ASC' } });
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef, id: string): Promise<IdentityProvider | null> {
    return this.rows(ctx).findOneBy({ tenantId, organizationId, id, ...createdInSetup(ctx) });
  }

  lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef, id: string): Promise<IdentityProvider | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id, ...createdInSetup(ctx) }, 'FOR UPDATE');
  }

  /** Returns the enabled identity providers of the organizations, oldest first. */
  listEnabled(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<IdentityProvider[]> {
    return this.rows(ctx).find({
      where: { tenantId, organizationId: In([...organizationIds]), enabled: true },
      order: { id: 'ASC' },
    });
  }

  /** Returns the identity providers of the organizations, also disabled ones, oldest first. */
  listOf(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<IdentityProvider[]> {
    return this.rows(ctx).find({ where: { tenantId, organizationId: In([...organizationIds]) }, order: { id: 'ASC' } });
  }

  /** @throws InvalidCursor (400) */
  async list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: OrganizationRef,
    request: PageRequest,
  ): Promise<Page<IdentityProvider>> {
    return this.findPage(ctx, 'identityProvider', { tenantId, organizationId, ...createdInSetup(ctx) }, request);
  }
}
