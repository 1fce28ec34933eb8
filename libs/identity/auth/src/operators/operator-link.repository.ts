import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { IsNull, LessThanOrEqual, MoreThan, Not, Repository } from 'typeorm';
import { OperatorLink } from './operator-link.entity.js';

@Injectable()
export class OperatorLinkRepository extends BaseRepository<OperatorLink> {
  constructor(@InjectRepository(OperatorLink) links: Repository<OperatorLink>) {
    super(links);
  }

  /** Returns when the first start created a link, or null. */
  async findFirstStart(ctx: RequestContext): Promise<Date | null> {
    const first = await this.rows(ctx).findOne({ where: { origin: 'first_start' }, order: { createdAt: 'ASC' } });
    return first?.createdAt ?? null;
  }

  async insert(ctx: RequestContext, link: OperatorLink): Promise<void> {
    await this.rows(ctx).insert(link);
  }

  /** Marks a link as used. Only one of several concurrent calls succeeds. Returns false if the link is unknown, used or expired. */
  async use(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<boolean> {
    const unused = { tokenHash, usedAt: IsNull(), expiresAt: MoreThan(now) };
    return (await this.rows(ctx).update(unused, { usedAt: now })).affected === 1;
  }

  /** Deletes expired links. Keeps links of the first start, which record the time of the first start. */
  async deleteExpired(ctx: RequestContext, now: Date): Promise<void> {
    await this.rows(ctx).delete({ expiresAt: LessThanOrEqual(now), origin: Not('first_start') });
  }
}
