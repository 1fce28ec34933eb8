import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository, lockKey } from '#platform/database';
import { IsNull, Repository } from 'typeorm';
import { type DisabledReason, Webhook } from './webhook.entity.js';

export type WebhookKey = Pick<Webhook, 'tenantId' | 'id'>;
export type NewWebhook = Omit<Webhook, 'createdSeq' | 'deletedSeq' | 'deletedAt' | 'version'>;
export type WebhookChanges = Partial<
  Pick<
    Webhook,
    | 'name'
    | 'url'
    | 'format'
    | 'events'
    | 'enabled'
    | 'disabledBy'
    | 'disabledAt'
    | 'includeDescendants'
    | 'filter'
    | 'rateLimit'
    | 'secretSealed'
    | 'nextSecretSealed'
    | 'nextSecretAt'
    | 'headersSealed'
    | 'ownerTenantId'
    | 'ownerId'
    | 'flag'
    | 'flaggedAt'
  >
> & { updatedAt: Date };

@Injectable()
export class WebhookRepository extends BaseRepository<Webhook> {
  constructor(@InjectRepository(Webhook) webhooks: Repository<Webhook>) {
    super(webhooks);
  }

  /** Locks the number of webhooks of an organization until the transaction ends. */
  async lockCount(ctx: RequestContext, organizationId: string): Promise<void> {
    await lockKey(ctx, 'webhooks', organizationId);
  }

  countOf(ctx: RequestContext, tenantId: string, organizationId: string): Promise<number> {
    return this.rows(ctx).countBy({ tenantId, organizationId, deletedAt: IsNull() });
  }

  async insert(ctx: RequestContext, webhook: NewWebhook): Promise<void> {
    await this.rows(ctx).insert(webhook);
  }

  /** Locks a webhook. Returns null if the webhook is deleted. */
  lock(ctx: RequestContext, { tenantId, id }: WebhookKey): Promise<Webhook | null> {
    return this.rows(ctx).findOne({ where: { tenantId, id, deletedAt: IsNull() }, lock: { mode: 'pessimistic_write' } });
  }

  async update(ctx: RequestContext, { tenantId, id }: WebhookKey, changes: WebhookChanges): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, changes);
  }

  /** Enables a webhook if it was disabled for `reason`. Returns whether the webhook was enabled. */
  async enable(ctx: RequestContext, { tenantId, id }: WebhookKey, reason: DisabledReason, at: Date): Promise<boolean> {
    const { affected } = await this.rows(ctx).update(
      { tenantId, id, enabled: false, disabledBy: reason, deletedAt: IsNull() },
      { enabled: true, disabledBy: null, disabledAt: null, updatedAt: at },
    );
    return affected === 1;
  }
}
