import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import { CHAINED_COLUMNS, type ChainedRow } from '../chain/chain-hash.js';

/** Somebody whose personal data is to go from the log. */
export interface RedactionRequest {
  readonly tenantId: string;
  readonly userId: string;
  readonly requestedAt: Date;
}

export interface RedactableEvent extends ChainedRow {
  tenant_id: string;
  payload: string;
  redacted: boolean;
  /** Whether it is about the person, not only caused by them. */
  about: boolean;
}

export interface Redaction {
  readonly tenantId: string;
  readonly eventId: string;
  readonly payload: string;
  readonly envelopeDigest: Buffer | null;
  readonly dataDigest: Buffer | null;
}

/** What there is to redact of a person: all of events about them, the envelope of those that they caused. */
const TO_REDACT = `((e.user_id = $1 AND (e.redacted_at IS NULL OR e.payload NOT LIKE '%"name":""},"data":{},"actor":%'))
  OR (e.actor_id = $1 AND e.redacted_at IS NULL))`;

/** Who is to be redacted, and the redacting itself. */
@Injectable()
export class EventRedactionRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO event_redactions (tenant_id, user_id) SELECT $1, unnest($2::text[]) ON CONFLICT (tenant_id, user_id) DO NOTHING`,
      [tenantId, userIds],
    );
  }

  /** Those made before a moment that are not done, the oldest first. */
  openRequests(ctx: RequestContext, before: Date, limit: number): Promise<RedactionRequest[]> {
    return this.query(
      ctx,
      `SELECT tenant_id AS "tenantId", user_id AS "userId", requested_at AS "requestedAt" FROM event_redactions
       WHERE completed_at IS NULL AND requested_at <= $1 ORDER BY requested_at, user_id LIMIT $2`,
      [before, limit],
    );
  }

  /** Numbered events of any tenant, since guests have events elsewhere; unless `evenPending`, those that no webhook waits for. */
  events(ctx: RequestContext, userId: string, evenPending: boolean, limit: number): Promise<RedactableEvent[]> {
    return this.query(
      ctx,
      `SELECT ${CHAINED_COLUMNS}, e.tenant_id, e.payload, e.redacted_at IS NOT NULL AS redacted, coalesce(e.user_id = $1, false) AS about
       FROM events e WHERE e.position IS NOT NULL AND ${TO_REDACT} AND ($2 OR NOT EXISTS (
         SELECT FROM deliveries d WHERE d.tenant_id = e.tenant_id AND d.event_id = e.id AND d.status = 'pending')) LIMIT $3`,
      [userId, evenPending, limit],
    );
  }

  async redact(ctx: RequestContext, redactions: readonly Redaction[]): Promise<void> {
    await this.query(
      ctx,
      `UPDATE events e SET payload = r.payload, redacted_at = coalesce(e.redacted_at, now()),
         envelope_digest = coalesce(e.envelope_digest, r.envelope_digest), data_digest = coalesce(e.data_digest, r.data_digest)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[]) AS r (tenant_id, id, payload, envelope_digest, data_digest)
       WHERE e.tenant_id = r.tenant_id AND e.id = r.id AND e.id = ANY ($2::text[])`,
      [
        redactions.map(({ tenantId }) => tenantId),
        redactions.map(({ eventId }) => eventId),
        redactions.map(({ payload }) => payload),
        redactions.map(({ envelopeDigest }) => envelopeDigest),
        redactions.map(({ dataDigest }) => dataDigest),
      ],
    );
  }

  /** Marks a request as done, unless events are left, numbered or not. */
  async complete(ctx: RequestContext, { tenantId, userId }: RedactionRequest): Promise<void> {
    await this.query(
      ctx,
      `UPDATE event_redactions SET completed_at = now() WHERE user_id = $1 AND tenant_id = $2
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NOT NULL AND ${TO_REDACT})
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NULL AND ${TO_REDACT})`,
      [userId, tenantId],
    );
  }
}
