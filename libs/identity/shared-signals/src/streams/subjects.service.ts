import { Injectable } from '@nestjs/common';
import { emailKey, type RequestContext } from '#platform/common';
import { type DomainEvent, OnDomainEvent, UnitOfWork } from '#platform/events';
import type { NamedSubject } from '../protocol/subject-body.js';
import type { SsfStream } from './ssf-stream.entity.js';
import { SsfStreamQuery } from './ssf-stream.query.js';

/**
 * Removes users from streams and adds them again. A stream contains all users until its receiver removes some. The response is the same for
 * subjects that belong to no user, so that a receiver can't find out which users exist.
 */
@Injectable()
export class SubjectsService {
  constructor(
    private readonly streams: SsfStreamQuery,
    private readonly work: UnitOfWork,
  ) {}

  async add(ctx: RequestContext, stream: SsfStream, subject: NamedSubject): Promise<void> {
    await this.streams.addSubjects(ctx, stream, await this.find(ctx, stream, subject));
  }

  async remove(ctx: RequestContext, stream: SsfStream, subject: NamedSubject): Promise<void> {
    await this.streams.removeSubjects(ctx, stream, await this.find(ctx, stream, subject), this.work.now());
  }

  @OnDomainEvent('user.deleted', { mode: 'transactional' })
  async forgetUser(ctx: RequestContext, { data, tenantId }: DomainEvent<'user.deleted'>): Promise<void> {
    if (data.permanent) await this.streams.forgetSubject(ctx, tenantId, data.id);
  }

  private async find(ctx: RequestContext, stream: SsfStream, subject: NamedSubject): Promise<string[]> {
    if (!subject) return [];
    return this.streams.findUserIds(
      ctx,
      stream,
      'userId' in subject ? { id: subject.userId } : { emailKey: emailKey(subject.email) },
    );
  }
}
