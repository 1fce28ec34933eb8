import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, inTenants, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { isSuspended } from '../ledger/delivery-target.js';

/** Maximum number of index entries that one call of `listWaiting` reads. */
const ENTRIES_PER_CALL = 500;

const WAITING_ENTRIES = row({
  tenantId: column.text(),
  webhookId: column.text(),
  /** Number of index entries that were read, which is not the number of all waiting deliveries. */
  entries: column.integer(),
});

const STATE = row({
  id: column.text(),
  releasable: column.boolean(),
  /** Maximum number of deliveries per second, or null without a limit. */
  rateLimit: column.nullable(column.integer()),
});

type WebhookState = Omit<RowOf<typeof STATE>, 'id'>;

/** A webhook with pending deliveries that have no time. */
export type WaitingWebhook = RowOf<typeof WAITING_ENTRIES> & WebhookState;

/** The state of a webhook that was purged. */
const GONE: WebhookState = { releasable: true, rateLimit: null };

/** Finds and releases deliveries that wait until their webhook is enabled, in a replay, or for a time within their webhook's rate limit. */
@Injectable()
export class HeldDeliveriesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns webhooks with waiting deliveries, ordered by key, after the webhook `after`. Reads a limited number of index entries, so that a
   * long backlog of one webhook costs nothing more. `isComplete` is false if more webhooks can follow. `releasable` means that the deliveries
   * need not wait any longer: the webhook is enabled and its organization not suspended, or the webhook is disabled by hand or deleted.
   */
  async listWaiting(
    ctx: RequestContext,
    after: WaitingWebhook | undefined,
  ): Promise<{ webhooks: WaitingWebhook[]; isComplete: boolean }> {
    const entries = await this.query(
      ctx,
      WAITING_ENTRIES,
      `SELECT tenant_id AS "tenantId", webhook_id AS "webhookId", count(*)::int AS entries FROM (
         SELECT tenant_id, webhook_id FROM deliveries WHERE status = 'pending' AND next_attempt_at IS NULL
           AND (tenant_id, webhook_id) > ($1, $2) ORDER BY tenant_id, webhook_id LIMIT ${ENTRIES_PER_CALL}
       ) waiting GROUP BY tenant_id, webhook_id ORDER BY tenant_id, webhook_id`,
      [after?.tenantId ?? '', after?.webhookId ?? ''],
    );
    const states = entries.length === 0 ? new Map<string, WebhookState>() : await this.mapStates(ctx, entries);
    const webhooks = entries.map((each) => ({ ...each, ...(states.get(each.webhookId) ?? GONE) }));
    const read = webhooks.reduce((sum, { entries }) => sum + entries, 0);
    return { webhooks, isComplete: read < ENTRIES_PER_CALL };
  }

  /** Reads the webhooks in a statement of their own, because Citus refuses a correlated subquery beside a subquery. */
  private async mapStates(
    ctx: RequestContext,
    keys: readonly Pick<WaitingWebhook, 'tenantId' | 'webhookId'>[],
  ): Promise<ReadonlyMap<string, WebhookState>> {
    const rows = await this.query(
      ctx,
      STATE,
      `SELECT w.id, w.rate_limit AS "rateLimit", coalesce(
         w.disabled_by = 'hand' AND NOT w.enabled OR w.deleted_at IS NOT NULL OR w.enabled AND NOT ${isSuspended()}, true) AS releasable
       FROM unnest($1::text[], $2::text[]) AS j (tenant_id, id) JOIN webhooks w ON w.tenant_id = j.tenant_id AND w.id = j.id
       WHERE ${inTenants('w.tenant_id', '$1')}`,
      [keys.map(({ tenantId }) => tenantId), keys.map(({ webhookId }) => webhookId)],
    );
    return new Map(rows.map(({ id, ...state }) => [id, state]));
  }

  /** Makes the oldest waiting deliveries of a webhook due, unless a process did so less than `intervalMs` ago. */
  async release(
    ctx: RequestContext,
    { tenantId, webhookId }: WaitingWebhook,
    limit: number,
    intervalMs: number,
  ): Promise<number> {
    return this.execute(
      ctx,
      `WITH turn AS (
         INSERT INTO webhook_health AS h (tenant_id, webhook_id, released_at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (tenant_id, webhook_id) DO UPDATE SET released_at = EXCLUDED.released_at
         WHERE h.released_at IS NULL OR EXCLUDED.released_at - h.released_at >= $4 * interval '1 ms'
         RETURNING webhook_id
       )
       UPDATE deliveries d SET next_attempt_at = now() FROM turn, (
         SELECT event_id, id FROM deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'pending' AND next_attempt_at IS NULL ORDER BY id LIMIT $3
       ) held
       WHERE d.tenant_id = $1 AND d.event_id = held.event_id AND d.id = held.id AND d.status = 'pending' AND d.next_attempt_at IS NULL`,
      [tenantId, webhookId, limit, intervalMs],
    );
  }

  /**
   * Probes webhooks that failures disabled (half-open circuit): makes the oldest waiting delivery of each webhook due, at most once in
   * `intervalMs`. Only this delivery is attempted. Its success enables the webhook.
   */
  async probe(ctx: RequestContext, intervalMs: number): Promise<void> {
    await this.execute(
      ctx,
      `WITH probed AS (
         UPDATE webhook_health h SET probed_at = now(), probe_delivery_id = oldest.id
         FROM webhooks w CROSS JOIN LATERAL (
           SELECT d.id FROM deliveries d WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND d.status = 'pending'
             AND d.next_attempt_at IS NULL ORDER BY d.id LIMIT 1
         ) oldest
         WHERE h.tenant_id = w.tenant_id AND h.webhook_id = w.id AND NOT w.enabled AND w.disabled_by = 'failures'
           AND w.deleted_at IS NULL AND NOT ${isSuspended()} AND GREATEST(w.disabled_at, h.probed_at) <= now() - $1 * interval '1 ms'
         RETURNING h.tenant_id, h.webhook_id, h.probe_delivery_id
       )
       UPDATE deliveries d SET next_attempt_at = now() FROM probed p
       WHERE d.tenant_id = p.tenant_id AND d.webhook_id = p.webhook_id AND d.id = p.probe_delivery_id
         AND d.status = 'pending' AND d.next_attempt_at IS NULL`,
      [intervalMs],
    );
  }
}
