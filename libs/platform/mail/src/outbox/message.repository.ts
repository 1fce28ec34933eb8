import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Any, Raw, Repository } from 'typeorm';
import { Message } from './message.entity.js';

export type NewMessage = Pick<
  Message,
  'tenantId' | 'id' | 'organizationId' | 'channel' | 'template' | 'recipient' | 'contentSealed' | 'createdAt'
>;

@Injectable()
export class MessageRepository extends BaseRepository<Message> {
  constructor(@InjectRepository(Message) messages: Repository<Message>) {
    super(messages);
  }

  /** Inserts a message that is due immediately. @throws Error outside a transaction */
  insert(ctx: RequestContext, message: NewMessage): void {
    const initial = {
      status: 'pending',
      attemptCount: 0,
      leaseOwner: null,
      leaseUntil: null,
      lastError: null,
      sentAt: null,
    } as const;
    this.insertDeferred(ctx, [{ ...message, ...initial, nextAttemptAt: message.createdAt }]);
  }

  async deleteOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.rows(ctx).delete({ tenantId, organizationId: Any(organizationIds) });
  }

  /** Returns the newest messages of all tenants, optionally of one recipient. Only for the development mailbox. */
  listNewest(ctx: RequestContext, limit: number, recipient?: string): Promise<Message[]> {
    const where =
      recipient === undefined ? {} : { recipient: Raw((column) => `lower(${column}) = lower(:recipient)`, { recipient }) };
    return this.rows(ctx).find({ where, order: { id: 'DESC' }, take: limit });
  }

  /** Returns a message of any tenant, or null. Only for the development mailbox. */
  findOfAnyTenant(ctx: RequestContext, id: string): Promise<Message | null> {
    return this.rows(ctx).findOneBy({ id });
  }
}
