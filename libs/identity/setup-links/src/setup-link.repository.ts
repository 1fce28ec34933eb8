import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import type { GainAuthorization } from '#directory/privileges';
import { BaseRepository, lockKey } from '#platform/database';
import { In, IsNull, Repository } from 'typeorm';
import { SetupLink } from './setup-link.entity.js';

type Organization = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class SetupLinkRepository extends BaseRepository<SetupLink> {
  constructor(@InjectRepository(SetupLink) setupLinks: Repository<SetupLink>) {
    super(setupLinks);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<SetupLink | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<SetupLink | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id }, 'FOR UPDATE');
  }

  /** Returns a page of the setup links of an organization, newest first. @throws InvalidCursor (400) */
  list(ctx: RequestContext, { tenantId, id: organizationId }: Organization, request: PageRequest): Promise<Page<SetupLink>> {
    return this.findPage(ctx, 'setupLink', { tenantId, organizationId }, request);
  }

  /** Returns the setup links that a user owns, in these tenants. */
  listOwned(
    ctx: RequestContext,
    owner: Readonly<Record<'tenantId' | 'id', string>>,
    tenantIds: readonly string[],
  ): Promise<SetupLink[]> {
    return this.rows(ctx).findBy({ tenantId: In([...tenantIds]), ownerTenantId: owner.tenantId, ownerId: owner.id });
  }

  /** Counts the setup links of an organization. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, { tenantId, id: organizationId }: Organization): Promise<number> {
    await lockKey(ctx, 'setup-links', organizationId);
    return this.rows(ctx).countBy({ tenantId, organizationId });
  }

  async insert(ctx: RequestContext, setupLink: SetupLink, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).insert(setupLink);
  }

  /** Records the first opening. Returns false if the link was opened before. */
  async open(ctx: RequestContext, { tenantId, id }: Pick<SetupLink, 'tenantId' | 'id'>, now: Date): Promise<boolean> {
    return (await this.rows(ctx).update({ tenantId, id, openedAt: IsNull() }, { openedAt: now })).affected === 1;
  }
}
