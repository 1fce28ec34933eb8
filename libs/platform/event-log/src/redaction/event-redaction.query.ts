import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { CHAINED_COLUMNS, CHAINED_ROW } from '../chain/chained-row.js';

const REQUEST_ROW = row({ tenantId: column.text(), userId: column.text(), requestedAt: column.timestamp() });
const EVENT_ROW = row({
  ...CHAINED_ROW,
  tenant_id: column.text(),
  payload: column.text(),
  isRedacted: column.boolean(),
  isAboutUser: column.boolean(),
});

/** A user whose personal data must be removed from the log of a tenant. */
export type RedactionRequest = RowOf<typeof REQUEST_ROW>;
/** An event to redact. `isAboutUser` is false if the user only caused the event. */
export type RedactableEvent = RowOf<typeof EVENT_ROW>;

export interface Redaction {
  readonly eventId: string;
  readonly payload: string;
  readonly envelopeDigest: Buffer | null;
  readonly dataDigest: Buffer | null;
}

/** The condition for events of the tenant `$2` to redact for the user `$1`: events about the user that contain data, and events that the user caused. */
const TO_REDACT = `e.tenant_id = $2 AND ((e.user_id = $1 AND (e.redacted_at IS NULL OR e.payload NOT LIKE '%"name":""},"data":{},"actor":%'))
  OR (e.actor_id = $1 AND e.redacted_at IS NULL))`;

/** Reads and writes redaction requests, and redacts events. */
@Injectable()
export class EventRedactionQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Inserts redaction requests. Skips users that already have a request in the tenant. */
  async insertRequests(ctx: RequestContext, requests: readonly Pick<RedactionRequest, 'tenantId' | 'userId'>[]): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO event_redactions (tenant_id, user_id) SELECT r.tenant_id, r.user_id
       FROM unnest($1::text[], $2::text[]) AS r (tenant_id, user_id)
       ON CONFLICT (tenant_id, user_id) DO NOTHING`,
      [requests.map(({ tenantId }) => tenantId), requests.map(({ userId }) => userId)],
    );
  }

  /** Returns incomplete requests up to the time `before`, oldest first. */
  listRequests(ctx: RequestContext, before: Date, limit: number): Promise<RedactionRequest[]> {
    return this.query(
      ctx,
      REQUEST_ROW,
      `SELECT tenant_id AS "tenantId", user_id AS "userId", requested_at AS "requestedAt" FROM event_redactions
       WHERE completed_at IS NULL AND requested_at <= $1 ORDER BY requested_at, user_id LIMIT $2`,
      [before, limit],
    );
  }

  /**
   * Returns positioned events to redact for a user in the tenant of a request. Includes events with pending deliveries only if
   * `includesPending` is set.
   */
  listEvents(
    ctx: RequestContext,
    { tenantId, userId }: RedactionRequest,
    includesPending: boolean,
    limit: number,
  ): Promise<RedactableEvent[]> {
    return this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${CHAINED_COLUMNS}, e.tenant_id, e.payload, e.redacted_at IS NOT NULL AS "isRedacted",
         coalesce(e.user_id = $1, false) AS "isAboutUser"
       FROM events e WHERE e.position IS NOT NULL AND ${TO_REDACT} AND ($3 OR NOT EXISTS (
         SELECT FROM deliveries d WHERE d.tenant_id = $2 AND d.event_id = e.id AND d.status = 'pending')) LIMIT $4`,
      [userId, tenantId, includesPending, limit],
    );
  }

  /** Replaces the payloads of events of a tenant. Keeps digests that are already stored. */
  async redact(ctx: RequestContext, tenantId: string, redactions: readonly Redaction[], at: Date): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE events e SET payload = r.payload, redacted_at = coalesce(e.redacted_at, $6),
         envelope_digest = coalesce(e.envelope_digest, r.envelope_digest), data_digest = coalesce(e.data_digest, r.data_digest)
       FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[]) AS r (id, payload, envelope_digest, data_digest)
       WHERE e.tenant_id = $1 AND e.id = r.id AND e.id = ANY ($2::text[])`,
      [
        tenantId,
        redactions.map(({ eventId }) => eventId),
        redactions.map(({ payload }) => payload),
        redactions.map(({ envelopeDigest }) => envelopeDigest),
        redactions.map(({ dataDigest }) => dataDigest),
        at,
      ],
    );
  }

  /** Completes a request if the user has no more events to redact in the tenant. Events without a position also count. */
  async complete(ctx: RequestContext, { tenantId, userId }: RedactionRequest): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE event_redactions SET completed_at = now() WHERE user_id = $1 AND tenant_id = $2
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NOT NULL AND ${TO_REDACT})
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NULL AND ${TO_REDACT})`,
      [userId, tenantId],
    );
  }

  /** Deletes requests that were completed before a time and whose users have no events in the log of the tenant. */
  async deleteCompleted(ctx: RequestContext, before: Date): Promise<void> {
    await this.execute(
      ctx,
      `DELETE FROM event_redactions r WHERE r.completed_at < $1
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NOT NULL AND e.tenant_id = r.tenant_id AND e.user_id = r.user_id)
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NOT NULL AND e.tenant_id = r.tenant_id AND e.actor_id = r.user_id)`,
      [before],
    );
  }
}
