import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { IsNull, Repository } from 'typeorm';
import { type GroupAction, ScimPreviewGroup } from './scim-preview-group.entity.js';

/** A connection, by its tenant and id. */
interface ConnectionKey {
  readonly tenantId: string;
  readonly id: string;
}

@Injectable()
export class ScimPreviewGroupRepository extends BaseRepository<ScimPreviewGroup> {
  constructor(@InjectRepository(ScimPreviewGroup) rows: Repository<ScimPreviewGroup>) {
    super(rows);
  }

  find(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, id: string): Promise<ScimPreviewGroup | null> {
    return this.rows(ctx).findOneBy({ tenantId, connectionId, id });
  }

  /** Returns a page of the recorded changes, newest ids first. @throws InvalidCursor (400) */
  list(
    ctx: RequestContext,
    { tenantId, id: connectionId }: ConnectionKey,
    action: GroupAction | undefined,
    request: PageRequest,
  ): Promise<Page<ScimPreviewGroup>> {
    return this.findPage(ctx, 'group', { tenantId, connectionId, ...(action ? { action } : {}) }, request);
  }

  /** Returns recorded changes to apply, oldest first, without changes that failed. A later change can need a name that an earlier change frees. */
  listToApply(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, limit: number): Promise<ScimPreviewGroup[]> {
    return this.rows(ctx).find({
      where: { tenantId, connectionId, error: IsNull() },
      order: { updatedAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  async save(ctx: RequestContext, row: ScimPreviewGroup): Promise<void> {
    await this.rows(ctx).save(row);
  }

  async delete(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, id: string): Promise<void> {
    await this.rows(ctx).delete({ tenantId, connectionId, id });
  }
}
