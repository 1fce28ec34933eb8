import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Repository } from 'typeorm';
import { EventAnchor } from './event-anchor.entity.js';

@Injectable()
export class EventAnchorRepository extends BaseRepository<EventAnchor> {
  constructor(@InjectRepository(EventAnchor) anchors: Repository<EventAnchor>) {
    super(anchors);
  }

  /** Returns the anchors of a tenant, lowest position first. */
  list(ctx: RequestContext, tenantId: string): Promise<EventAnchor[]> {
    return this.rows(ctx).find({ where: { tenantId }, order: { fromPosition: 'ASC' } });
  }
}
