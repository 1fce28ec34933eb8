import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Repository } from 'typeorm';
import { OutboxEvent } from './outbox-event.entity.js';

/** Inserts new events in the transaction of the change. */
@Injectable()
export class OutboxRepository extends BaseRepository<OutboxEvent> {
  constructor(@InjectRepository(OutboxEvent) events: Repository<OutboxEvent>) {
    super(events);
  }

  /** Inserts events in the order of `events`, before the next statement or the commit. @throws Error outside a transaction */
  insertAll(ctx: RequestContext, events: readonly OutboxEvent[]): void {
    this.insertDeferred(ctx, events);
  }
}
