import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { LessThanOrEqual, Repository } from 'typeorm';
import { StoredOperatorSession } from './stored-operator-session.entity.js';

@Injectable()
export class OperatorSessionRepository extends BaseRepository<StoredOperatorSession> {
  constructor(@InjectRepository(StoredOperatorSession) sessions: Repository<StoredOperatorSession>) {
    super(sessions);
  }

  async insert(ctx: RequestContext, session: StoredOperatorSession): Promise<void> {
    await this.rows(ctx).insert(session);
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.rows(ctx).delete({ id });
  }

  async deleteExpired(ctx: RequestContext, now: Date): Promise<void> {
    await this.rows(ctx).delete({ expiresAt: LessThanOrEqual(now) });
  }
}
