import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { Owned, OwnerFlag } from '#directory/memberships';
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
    | 'ownerTenantId'
    | 'ownerId'
    | 'flag'
    | 'flaggedAt'
  >
> & { updatedAt: Date };

/** A webhook that a user owns, with the owner and the organization as they are now. */
export interface OwnedWebhook extends Owned {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly disabledBy: DisabledReason | null;
  readonly flag: OwnerFlag | null;
  readonly organization: Pick<OrganizationScope, 'id' | 'tenantId' | 'name' | 'ancestorIds'>;
}

/** Writes webhooks, with the rows that deliveries count in. */
@Injectable()
export class WebhooksRepository extends SqlRepository {
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

  /** Switches one on that was switched off for this reason; whether it did. */
  async enableAgain(ctx: RequestContext, tenantId: string, id: string, reason: DisabledReason, at: Date): Promise<boolean> {
    const switched = await this.execute(
      ctx,
      `UPDATE webhooks SET enabled = true, disabled_by = NULL, disabled_at = NULL, updated_at = $3, version = version + 1
       WHERE tenant_id = $1 AND id = $2 AND NOT enabled AND disabled_by = $4 AND deleted_at IS NULL`,
      [tenantId, id, at, reason],
    );
    return switched > 0;
  }

  /** Returns webhooks that users own, in a stable order, behind a given one. */
  async owned(ctx: RequestContext, after: Pick<Webhook, 'tenantId' | 'id'> | undefined, limit: number): Promise<OwnedWebhook[]> {
    return this.query(
      ctx,
      `SELECT w.tenant_id AS "tenantId", w.id, w.name, w.enabled, w.disabled_by AS "disabledBy", w.flag,
         w.owner_tenant_id AS "ownerTenantId", w.owner_id AS "ownerId",
         json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name, 'ancestorIds', o.ancestor_ids) AS organization
       FROM webhooks w
       JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id AND o.deleted_at IS NULL
       WHERE w.owner_id IS NOT NULL AND w.deleted_at IS NULL AND (w.tenant_id, w.id) > ($1, $2)
       ORDER BY w.tenant_id, w.id LIMIT $3`,
      [after?.tenantId ?? '', after?.id ?? '', limit],
    );
  }

  /** Flags a webhook, or takes the flag away; false when another process or a change of the owner was faster. */
  async setFlag(
    ctx: RequestContext,
    { tenantId, id, ownerTenantId, ownerId, flag: before }: OwnedWebhook,
    flag: OwnerFlag | null,
    at: Date,
  ): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `UPDATE webhooks SET flag = $5, flagged_at = CASE WHEN $5::text IS NULL THEN NULL ELSE coalesce(flagged_at, $7::timestamptz) END
       WHERE tenant_id = $1 AND id = $2 AND owner_tenant_id = $3 AND owner_id = $4 AND flag IS NOT DISTINCT FROM $6 AND deleted_at IS NULL`,
      [tenantId, id, ownerTenantId, ownerId, flag, before, at],
    );
    return changed === 1;
  }
}
