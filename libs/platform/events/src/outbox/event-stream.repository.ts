import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Repository } from 'typeorm';
import { EventStream } from './event-stream.entity.js';

@Injectable()
export class EventStreamRepository extends BaseRepository<EventStream> {
  constructor(@InjectRepository(EventStream) streams: Repository<EventStream>) {
    super(streams);
  }

  /** Inserts the empty stream of a new tenant. @throws Error outside a transaction */
  insert(ctx: RequestContext, tenantId: string): void {
    this.insertDeferred(ctx, [{ tenantId, lastPosition: '0', chainedPosition: '0', lastChainHash: null }]);
  }

  find(ctx: RequestContext, tenantId: string): Promise<EventStream | null> {
    return this.findByKey(ctx, { tenantId });
  }
}
