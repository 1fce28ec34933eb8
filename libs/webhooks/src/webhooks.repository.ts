import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';
import { type DisabledReason, Webhook } from './webhook.entity.js';

export type NewWebhook = Omit<Webhook, 'createdSeq' | 'deletedSeq' | 'deletedAt' | 'version'>;
export type WebhookChanges = Partial<
  Pick<
    Webhook,
    | 'name'
    | 'url'
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
  >
> & { updatedAt: Date };

/** Writes webhooks, with the rows that deliveries count in. */
@Injectable()
export class WebhooksRepository extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Makes others that count this organization's webhooks wait until the transaction ends. */
  async lockOrganization(ctx: RequestContext, organizationId: string): Promise<void> {
    await this.lockWords(ctx, 'webhooks', organizationId);
  }

  async countIn(ctx: RequestContext, tenantId: string, organizationId: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      ctx,
      `SELECT count(*)::int AS count FROM webhooks WHERE tenant_id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
      [tenantId, organizationId],
    );
    return row?.count ?? 0;
  }

  async insert(ctx: RequestContext, webhook: NewWebhook): Promise<void> {
    await this.rows(ctx, Webhook).insert(webhook);
    const key = [webhook.tenantId, webhook.id];
    await this.query(ctx, 'INSERT INTO webhook_sequences (tenant_id, webhook_id) VALUES ($1, $2)', key);
    await this.query(ctx, 'INSERT INTO webhook_health (tenant_id, webhook_id) VALUES ($1, $2)', key);
  }

  /** Locks one that is not deleted. */
  async lock(ctx: RequestContext, tenantId: string, id: string): Promise<Webhook | null> {
    const found = this.rows(ctx, Webhook).createQueryBuilder('w').setLock('pessimistic_write');
    return found.where('w.tenant_id = :tenantId AND w.id = :id AND w.deleted_at IS NULL', { tenantId, id }).getOne();
  }

  async update(ctx: RequestContext, { tenantId, id }: Pick<Webhook, 'tenantId' | 'id'>, changes: WebhookChanges): Promise<void> {
    await this.rows(ctx, Webhook).update({ tenantId, id }, changes);
  }

  /** Sets the secret that takes over; one that has taken over already becomes the one that signs until then. */
  async setNextSecret(
    ctx: RequestContext,
    { tenantId, id }: Pick<Webhook, 'tenantId' | 'id'>,
    nextSecretSealed: string,
    activateInSeconds: number,
  ): Promise<void> {
    await this.query(
      ctx,
      `UPDATE webhooks SET secret_sealed = CASE WHEN next_secret_at <= now() THEN next_secret_sealed ELSE secret_sealed END,
         next_secret_sealed = $3, next_secret_at = now() + $4 * interval '1 s', updated_at = now(), version = version + 1
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id, nextSecretSealed, activateInSeconds],
    );
  }

  /** Notes that the subscription changed: which earlier events it matched can't be told from it any more. */
  async restartSubscription(ctx: RequestContext, { tenantId, id }: Pick<Webhook, 'tenantId' | 'id'>): Promise<void> {
    await this.query(ctx, `UPDATE webhooks SET subscribed_seq = nextval('event_seq') WHERE tenant_id = $1 AND id = $2`, [
      tenantId,
      id,
    ]);
  }

  /** Forgets since when deliveries fail, so that a webhook that was switched on again has its full time. */
  async restartHealth(ctx: RequestContext, { tenantId, id }: Pick<Webhook, 'tenantId' | 'id'>): Promise<void> {
    await this.query(
      ctx,
      'UPDATE webhook_health SET failing_since = NULL, warned_at = NULL WHERE tenant_id = $1 AND webhook_id = $2',
      [tenantId, id],
    );
  }

  /** Leaves a tombstone: events from before this moment are still matched with it, later ones are not. */
  async bury(ctx: RequestContext, { tenantId, id }: Pick<Webhook, 'tenantId' | 'id'>, at: Date): Promise<void> {
    await this.query(
      ctx,
      `UPDATE webhooks SET deleted_at = $3, deleted_seq = nextval('event_seq'), updated_at = $3, version = version + 1
       WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [tenantId, id, at],
    );
  }

  /** Switches webhooks off that are on; the rest stay as they are. Gives the ids of those switched. */
  async disable(
    ctx: RequestContext,
    tenantId: string,
    ids: readonly string[],
    reason: DisabledReason,
    at: Date,
  ): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      ctx,
      `UPDATE webhooks SET enabled = false, disabled_by = $3, disabled_at = $4, updated_at = $4, version = version + 1
       WHERE tenant_id = $1 AND id = ANY ($2::text[]) AND enabled AND deleted_at IS NULL RETURNING id`,
      [tenantId, ids, reason, at],
    );
    return rows.map(({ id }) => id);
  }

  /** Switches one on that failures had switched off; whether it did. */
  async enableAgain(ctx: RequestContext, tenantId: string, id: string, at: Date): Promise<boolean> {
    const switched = await this.execute(
      ctx,
      `UPDATE webhooks SET enabled = true, disabled_by = NULL, disabled_at = NULL, updated_at = $3, version = version + 1
       WHERE tenant_id = $1 AND id = $2 AND NOT enabled AND disabled_by = 'failures' AND deleted_at IS NULL`,
      [tenantId, id, at],
    );
    return switched > 0;
  }
}
