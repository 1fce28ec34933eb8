import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { IsNull, Repository } from 'typeorm';
import { type UserAction, ScimPreviewUser } from './scim-preview-user.entity.js';

/** A connection, by its tenant and id. */
interface ConnectionKey {
  readonly tenantId: string;
  readonly id: string;
}

@Injectable()
export class ScimPreviewUserRepository extends BaseRepository<ScimPreviewUser> {
  constructor(@InjectRepository(ScimPreviewUser) rows: Repository<ScimPreviewUser>) {
    super(rows);
  }

  find(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, id: string): Promise<ScimPreviewUser | null> {
    return this.rows(ctx).findOneBy({ tenantId, connectionId, id });
  }

  /** Returns the recorded user with an email address, unless deleted. */
  findByEmail(
    ctx: RequestContext,
    { tenantId, id: connectionId }: ConnectionKey,
    emailKey: string,
  ): Promise<ScimPreviewUser | null> {
    return this.rows(ctx).findOneBy({ tenantId, connectionId, emailKey, deleted: false });
  }

  /** Returns a page of the recorded changes, newest ids first. @throws InvalidCursor (400) */
  list(
    ctx: RequestContext,
    { tenantId, id: connectionId }: ConnectionKey,
    action: UserAction | undefined,
    request: PageRequest,
  ): Promise<Page<ScimPreviewUser>> {
    return this.findPage(ctx, 'user', { tenantId, connectionId, ...conditionOf(action) }, request);
  }

  /** Returns recorded changes to apply, oldest first, without changes that failed. A later change can need a name that an earlier change frees. */
  listToApply(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, limit: number): Promise<ScimPreviewUser[]> {
    return this.rows(ctx).find({
      where: { tenantId, connectionId, error: IsNull() },
      order: { updatedAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  async save(ctx: RequestContext, row: ScimPreviewUser): Promise<void> {
    await this.rows(ctx).save(row);
  }

  async delete(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, id: string): Promise<void> {
    await this.rows(ctx).delete({ tenantId, connectionId, id });
  }
}

/** A user who is taken over can also be suspended or activated. */
function conditionOf(action: UserAction | undefined): Partial<Pick<ScimPreviewUser, 'action' | 'adopts'>> {
  if (action === undefined) return {};
  return action === 'adopt' ? { adopts: true } : { action };
}
