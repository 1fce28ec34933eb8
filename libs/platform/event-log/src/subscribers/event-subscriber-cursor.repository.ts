import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { IsNull, Not, Repository } from 'typeorm';
import { EventSubscriberCursor } from './event-subscriber-cursor.entity.js';

/** Finds and resumes stopped event handlers. */
@Injectable()
export class EventSubscriberCursorRepository extends BaseRepository<EventSubscriberCursor> {
  constructor(@InjectRepository(EventSubscriberCursor) cursors: Repository<EventSubscriberCursor>) {
    super(cursors);
  }

  /**
   * Resumes a stopped handler with the failed event or, with `skipsEvent`, with the next event. Returns false if the handler is not
   * stopped.
   */
  async resume(ctx: RequestContext, tenantId: string, subscriber: string, skipsEvent: boolean): Promise<boolean> {
    const stopped = { tenantId, subscriber, stoppedAt: Not(IsNull()) };
    const { affected } = await this.rows(ctx).update(stopped, {
      ...(skipsEvent ? { position: () => 'failed_position' } : {}),
      stoppedAt: null,
      attempts: 0,
      dueAt: () => 'statement_timestamp()',
      lastError: null,
      failedEventId: null,
      failedPosition: null,
    });
    return affected === 1;
  }

  /** Returns whether a handler is stopped for at least one tenant. */
  isStopped(ctx: RequestContext, subscriber: string): Promise<boolean> {
    return this.rows(ctx).existsBy({ subscriber, stoppedAt: Not(IsNull()) });
  }

  /** Returns the stopped cursors of a handler, longest stopped first. */
  listStopped(ctx: RequestContext, subscriber: string, limit: number): Promise<EventSubscriberCursor[]> {
    return this.rows(ctx).find({
      where: { subscriber, stoppedAt: Not(IsNull()) },
      order: { stoppedAt: 'ASC', tenantId: 'ASC' },
      take: limit,
    });
  }
}
