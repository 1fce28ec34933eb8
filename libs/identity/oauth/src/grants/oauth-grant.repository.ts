import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, lockKey } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { type FindOptionsWhere, IsNull, Repository } from 'typeorm';
import { OAuthGrant } from './oauth-grant.entity.js';

/** Which grants a list has. Revoked grants are never listed. */
export type GrantFilter = FindOptionsWhere<OAuthGrant> & { readonly tenantId: string };

type LiveGrantKey = Pick<OAuthGrant, 'tenantId' | 'organizationId' | 'clientId' | 'userId'>;

@Injectable()
export class OAuthGrantRepository extends BaseRepository<OAuthGrant> {
  constructor(@InjectRepository(OAuthGrant) grants: Repository<OAuthGrant>) {
    super(grants);
  }

  /** Returns the live grant of a user for a client in an organization. */
  findLive(ctx: RequestContext, key: LiveGrantKey): Promise<OAuthGrant | null> {
    return this.rows(ctx).findOneBy({ ...key, revokedAt: IsNull() });
  }

  lock(ctx: RequestContext, filter: GrantFilter): Promise<OAuthGrant | null> {
    return this.rows(ctx).findOne({ where: { ...filter, revokedAt: IsNull() }, lock: { mode: 'pessimistic_write' } });
  }

  /** Locks the live grant. If there is none, locks the key, so that no other transaction inserts the grant at the same time. */
  async lockOrReserve(ctx: RequestContext, key: LiveGrantKey): Promise<OAuthGrant | null> {
    const existing = await this.lock(ctx, key);
    if (existing) return existing;
    await lockKey(ctx, 'oauth-grant', key.organizationId, key.userId, key.clientId);
    return this.lock(ctx, key);
  }

  /** Returns a page of live grants, newest first. @throws InvalidCursor (400) */
  list(ctx: RequestContext, filter: GrantFilter, request: PageRequest): Promise<Page<OAuthGrant>> {
    return this.findPage(ctx, 'oauthGrant', { ...filter, revokedAt: IsNull() }, request);
  }

  findAll(ctx: RequestContext, filter: GrantFilter): Promise<OAuthGrant[]> {
    return this.rows(ctx).find({ where: { ...filter, revokedAt: IsNull() }, order: { id: 'DESC' } });
  }

  async insert(ctx: RequestContext, grant: OAuthGrant): Promise<void> {
    await this.rows(ctx).insert(grant);
  }

  async update(ctx: RequestContext, grant: OAuthGrant): Promise<void> {
    await this.rows(ctx).save(grant);
  }

  async recordUse(ctx: RequestContext, tenantId: string, id: string, at: Date): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { lastUsedAt: at });
  }

  async revoke(ctx: RequestContext, { tenantId, id }: OAuthGrant, at: Date, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { revokedAt: at });
  }
}
