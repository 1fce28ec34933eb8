import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, lockKey } from '#platform/database';
import { IsNull, Repository } from 'typeorm';
import type { Home } from '../clients/oauth-client.repository.js';
import { OAuthResource } from './oauth-resource.entity.js';

@Injectable()
export class OAuthResourceRepository extends BaseRepository<OAuthResource> {
  constructor(@InjectRepository(OAuthResource) resources: Repository<OAuthResource>) {
    super(resources);
  }

  find(ctx: RequestContext, home: Home, id: string): Promise<OAuthResource | null> {
    return this.rows(ctx).findOneBy({ ...conditionOf(home), id });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, home: Home, id: string): Promise<OAuthResource | null> {
    return this.rows(ctx).findOne({ where: { ...conditionOf(home), id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns a page of resources, newest first. @throws InvalidCursor (400) */
  list(ctx: RequestContext, home: Home, request: PageRequest): Promise<Page<OAuthResource>> {
    return this.findPage(ctx, 'oauthResource', conditionOf(home), request);
  }

  /** Counts the resources. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, home: Home): Promise<number> {
    await lockKey(ctx, 'oauth-resources', home.organizationId ?? home.tenantId);
    return this.rows(ctx).countBy(conditionOf(home));
  }

  async insert(ctx: RequestContext, resource: OAuthResource): Promise<void> {
    await this.rows(ctx).insert(resource);
  }

  async update(ctx: RequestContext, resource: OAuthResource): Promise<void> {
    await this.rows(ctx).save(resource);
  }

  async delete(ctx: RequestContext, { tenantId, id }: OAuthResource): Promise<void> {
    await this.rows(ctx).delete({ tenantId, id });
  }
}

const conditionOf = ({ tenantId, organizationId }: Home) => ({ tenantId, organizationId: organizationId ?? IsNull() });
