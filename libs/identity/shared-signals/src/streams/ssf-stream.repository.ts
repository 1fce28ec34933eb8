import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation } from '#platform/database';
import { type FindOptionsWhere, IsNull, Repository } from 'typeorm';
import { StreamExists } from './ssf-stream-errors.js';
import { SsfStream } from './ssf-stream.entity.js';
import type { StreamOwner } from './stream-owners.service.js';

/** The streams of one owner, or of an organization. */
export type Streams = Pick<StreamOwner, 'tenantId' | 'organizationId'> & Partial<Pick<StreamOwner, 'clientId'>>;

@Injectable()
export class SsfStreamRepository extends BaseRepository<SsfStream> {
  constructor(@InjectRepository(SsfStream) streams: Repository<SsfStream>) {
    super(streams);
  }

  find(ctx: RequestContext, of: Streams, id: string): Promise<SsfStream | null> {
    return this.rows(ctx).findOneBy({ ...conditionOf(of), id });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, of: Streams, id: string): Promise<SsfStream | null> {
    return this.rows(ctx).findOne({ where: { ...conditionOf(of), id }, lock: { mode: 'pessimistic_write' } });
  }

  listOf(ctx: RequestContext, owner: StreamOwner): Promise<SsfStream[]> {
    return this.rows(ctx).find({ where: conditionOf(owner), order: { id: 'ASC' } });
  }

  /** Returns a page of the streams of an organization, newest first. @throws InvalidCursor (400) */
  listPage(ctx: RequestContext, organization: Streams, request: PageRequest): Promise<Page<SsfStream>> {
    return this.findPage(ctx, 'ssfStream', conditionOf(organization), request);
  }

  /** @throws StreamExists (409) */
  async insert(ctx: RequestContext, stream: SsfStream): Promise<void> {
    try {
      await this.rows(ctx).insert(stream);
    } catch (error) {
      if (isUniqueViolation(error, 'ssf_streams_receiver_key')) throw new StreamExists();
      throw error;
    }
  }

  async update(ctx: RequestContext, stream: SsfStream): Promise<void> {
    await this.rows(ctx).save(stream);
  }

  async delete(ctx: RequestContext, { tenantId, id }: SsfStream): Promise<void> {
    await this.rows(ctx).delete({ tenantId, id });
  }
}

function conditionOf({ tenantId, organizationId, clientId }: Streams): FindOptionsWhere<SsfStream> {
  return { tenantId, organizationId, ...(clientId === undefined ? {} : { clientId: clientId ?? IsNull() }) };
}
