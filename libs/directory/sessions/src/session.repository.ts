import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { IsNull, LessThanOrEqual, Repository } from 'typeorm';
import { Session } from './session.entity.js';
import type { UserKey } from './user-key.js';

@Injectable()
export class SessionRepository extends BaseRepository<Session> {
  constructor(@InjectRepository(Session) sessions: Repository<Session>) {
    super(sessions);
  }

  /** Defers the insert to the next statement of the transaction or to the commit. */
  insert(ctx: RequestContext, session: Session): void {
    this.insertDeferred(ctx, [session]);
  }

  /** Records a use of the session if the last recorded use is at or before `recordedBefore`. */
  async touch(
    ctx: RequestContext,
    { tenantId, id, longestIdleSeconds }: Session,
    now: Date,
    recordedBefore: Date,
  ): Promise<void> {
    await this.rows(ctx).update(
      { tenantId, id, revokedAt: IsNull(), lastSeenAt: LessThanOrEqual(recordedBefore) },
      { lastSeenAt: now, longestIdleSeconds },
    );
  }

  async recordAuthentication(ctx: RequestContext, user: UserKey, id: string, now: Date): Promise<void> {
    await this.rows(ctx).update(
      { tenantId: user.tenantId, userId: user.id, id, revokedAt: IsNull() },
      { authenticatedAt: now, longestIdleSeconds: 0 },
    );
  }
}
