import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { OwnerFlag } from '#directory/memberships';
import { DataSource } from 'typeorm';
import type { DisabledReason } from './webhook.entity.js';
import type { WebhookKey } from './webhook.repository.js';

const ID = row({ id: column.text() });

/** A webhook that a user owns, with the current state of the owner and of the organization. */
const OWNED = row({
  tenantId: column.text(),
  id: column.text(),
  name: column.text(),
  enabled: column.boolean(),
  disabledBy: column.nullable(column.text<DisabledReason>()),
  flag: column.nullable(column.text<OwnerFlag>()),
  ownerTenantId: column.text(),
  ownerId: column.text(),
  organization: column.json<Pick<OrganizationScope, 'id' | 'tenantId' | 'name' | 'ancestorIds'>>(),
});
export type OwnedWebhook = RowOf<typeof OWNED>;

/** Changes webhooks with the clock or sequence of the database, or in several rows. */
@Injectable()
export class WebhookStateQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Inserts the rows that count the deliveries of a new webhook. */
  async insertCounters(ctx: RequestContext, { tenantId, id }: WebhookKey): Promise<void> {
    await this.execute(
      ctx,
      `WITH health AS (INSERT INTO webhook_health (tenant_id, webhook_id) VALUES ($1, $2))
       INSERT INTO webhook_sequences (tenant_id, webhook_id) VALUES ($1, $2)`,
      [tenantId, id],
    );
  }

  /** Sets the next secret. A previous next secret that has taken effect becomes the current secret. */
  async setNextSecret(
    ctx: RequestContext,
    { tenantId, id }: WebhookKey,
    nextSecretSealed: string,
    activateInSeconds: number,
  ): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE webhooks SET secret_sealed = CASE WHEN next_secret_at <= clock.at THEN next_secret_sealed ELSE secret_sealed END,
         next_secret_sealed = $3, next_secret_at = now() + $4 * interval '1 s', updated_at = now(), version = version + 1
       FROM (SELECT now() AS at) clock -- because Citus accepts no function of time in a CASE
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id, nextSecretSealed, activateInSeconds],
    );
  }

  /** Records the start of a changed subscription. Earlier events can't be matched with the changed subscription. */
  async restartSubscription(ctx: RequestContext, { tenantId, id }: WebhookKey): Promise<void> {
    await this.execute(
      ctx,
      `WITH next AS (SELECT nextval('event_seq') AS seq)
       UPDATE webhooks SET subscribed_seq = next.seq FROM next WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
  }

  /** Clears the time of the first failure, so that a failing webhook is disabled only after the full period. */
  async clearFailures(ctx: RequestContext, { tenantId, id }: WebhookKey): Promise<void> {
    await this.execute(
      ctx,
      'UPDATE webhook_health SET failing_since = NULL, warned_at = NULL WHERE tenant_id = $1 AND webhook_id = $2',
      [tenantId, id],
    );
  }

  /** Marks a webhook as deleted. Keeps the row, because earlier events are matched with the webhook. */
  async markDeleted(ctx: RequestContext, { tenantId, id }: WebhookKey, at: Date): Promise<void> {
    await this.execute(
      ctx,
      `WITH next AS (SELECT nextval('event_seq') AS seq)
       UPDATE webhooks SET deleted_at = $3, deleted_seq = next.seq, updated_at = $3, version = version + 1 FROM next
       WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [tenantId, id, at],
    );
  }

  /** Disables the enabled webhooks among `ids`. Returns the IDs of the disabled webhooks. */
  async disable(
    ctx: RequestContext,
    tenantId: string,
    ids: readonly string[],
    reason: DisabledReason,
    at: Date,
  ): Promise<string[]> {
    const disabled = await this.query(
      ctx,
      ID,
      `UPDATE webhooks SET enabled = false, disabled_by = $3, disabled_at = $4, updated_at = $4, version = version + 1
       WHERE tenant_id = $1 AND id = ANY ($2::text[]) AND enabled AND deleted_at IS NULL RETURNING id`,
      [tenantId, ids, reason, at],
    );
    return disabled.map(({ id }) => id);
  }

  /** Returns webhooks that users own, ordered by tenant and ID, after the webhook `after`. */
  async listOwned(ctx: RequestContext, after: WebhookKey | undefined, limit: number): Promise<OwnedWebhook[]> {
    return this.query(
      ctx,
      OWNED,
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

  /** Sets or removes the flag. Returns false if another process already did so or the owner has changed. */
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
