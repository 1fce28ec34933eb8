import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createdInSetup, type OrganizationScope, type Page, type PageRequest, type RequestContext } from '#platform/common';
import { BaseRepository, lockKey } from '#platform/database';
import type { GainAuthorization } from '#directory/privileges';
import { Repository } from 'typeorm';
import { ScimConnection } from './scim-connection.entity.js';

type Organization = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class ScimConnectionRepository extends BaseRepository<ScimConnection> {
  constructor(@InjectRepository(ScimConnection) connections: Repository<ScimConnection>) {
    super(connections);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<ScimConnection | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id, ...createdInSetup(ctx) });
  }

  findById(ctx: RequestContext, tenantId: string, id: string): Promise<ScimConnection | null> {
    return this.findByKey(ctx, { tenantId, id });
  }

  /** Locks the row until the transaction ends. Every change of a connection and its tokens locks the row first. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<ScimConnection | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id, ...createdInSetup(ctx) }, 'FOR UPDATE');
  }

  /** Locks the row against changes until the transaction ends. Other transactions can do so, too. */
  lockShared(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<ScimConnection | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id, ...createdInSetup(ctx) }, 'FOR SHARE');
  }

  /** Returns a page of the connections of an organization. @throws InvalidCursor (400) */
  list(ctx: RequestContext, { tenantId, id: organizationId }: Organization, request: PageRequest): Promise<Page<ScimConnection>> {
    return this.findPage(ctx, 'scimConnection', { tenantId, organizationId, ...createdInSetup(ctx) }, request);
  }

  /** Counts the connections of an organization. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, { tenantId, id: organizationId }: Organization): Promise<number> {
    await lockKey(ctx, 'scim-connections', organizationId);
    return this.rows(ctx).countBy({ tenantId, organizationId });
  }

  /** A connection has all permissions in its organization. */
  async insert(ctx: RequestContext, connection: ScimConnection, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).insert(connection);
    connection.version = 1;
  }

  /** Counts restored users. */
  async addRestored(ctx: RequestContext, { tenantId, id }: ScimConnection, count: number): Promise<void> {
    await this.rows(ctx).increment({ tenantId, id }, 'restoredUsers', count);
  }

  async update(ctx: RequestContext, connection: ScimConnection, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).save(connection);
  }
}
